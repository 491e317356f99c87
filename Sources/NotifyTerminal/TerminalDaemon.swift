public import DBus
internal import FreedesktopNotifications
internal import Glibc

/// A notification daemon whose notifications appear in a terminal, for sessions without a desktop: ssh, containers, CI.
///
/// It serves `org.freedesktop.Notifications` on a bus and advertises exactly what it does: `body`, `actions` and
/// `inline-reply`; drawn also `body-markup`, and `icon-static` where the terminal has colours to draw pictures with.
/// Text from the bus never reaches the terminal as a control sequence.
public struct TerminalDaemon: Sendable {
  private let options: TerminalOptions
  private let environment: [String: String]

  /// - Parameter environment: `TERM`, `COLORTERM` and `NO_COLOR` say what can be drawn.
  public init(options: TerminalOptions, environment: [String: String]) {
    self.options = options
    self.environment = environment
  }

  /// Runs until the user quits, another daemon takes over, the bus goes or a signal ends it; closes `connection` then.
  /// It uses stdin, stdout and stderr, takes over SIGINT, SIGTERM, SIGHUP and SIGPIPE, and is meant to be run once in a
  /// process. From any isolation.
  /// - Parameter connection: of this daemon alone, and one that does not connect again by itself.
  public func run(on connection: BusConnection) async -> TerminalOutcome {
    let obstacle = TerminalDevice.obstacle(environment: environment)
    let isDrawn = !options.plain && obstacle == nil
    let outcome: TerminalOutcome
    if isDrawn, TerminalDevice.isInBackground {
      outcome = .failed("the terminal is in use by another job: run it in the foreground, or with --plain")
    } else {
      do throws(BusError) {
        if !isDrawn, !options.plain, let obstacle {
          TerminalDevice().remark("notify-bridge: plain lines, since \(obstacle)\n")
        }
        outcome = try await run(on: connection, isDrawn: isDrawn)
      } catch {
        outcome = .noBus("notifications cannot be served on this bus: \(error)")
      }
    }
    await connection.close()
    return outcome
  }

  private func run(on connection: BusConnection, isDrawn: Bool) async throws(BusError) -> TerminalOutcome {
    let depth = isDrawn ? ColourDepth(environment: environment) : .none
    let (events, continuation) = AsyncStream.makeStream(of: HostEvent.self)
    let inbox = Inbox { item in
      switch item {
      case .signal: continuation.yield(.nameLost)
      case .disconnected(let error), .subscriptionFailed(_, let error): continuation.yield(.busLost(error))
      case .reply, .reconnected: break
      }
    }
    let nameLost = connection.subscribe(
      MatchRule(
        sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameLost",
        firstArgument: NotificationService.name.text), to: inbox)
    let capabilities = Self.capabilities(isDrawn: isDrawn, depth: depth)
    let service = NotificationService(
      on: connection,
      information: ServerInformation(
        name: "notify-bridge terminal", vendor: "notify-bridge", version: options.version, specVersion: "1.2"),
      capabilities: { capabilities }, delegate: ServiceCalls(continuation))
    guard try await service.acquireName(replacing: options.replace) else {
      return .nameTaken(await NameOwner(on: connection).complaint(triedToReplace: options.replace))
    }
    let outcome = await serve(service, events, continuation, depth, isDrawn: isDrawn)
    withExtendedLifetime(nameLost) {}
    return outcome
  }

  static func capabilities(isDrawn: Bool, depth: ColourDepth) -> Capabilities {
    var words = ["actions", "body"]
    if isDrawn { words.append("body-markup") }
    if isDrawn, depth != .none { words.append("icon-static") }
    return Capabilities(words + ["inline-reply"])
  }

  private func serve(
    _ service: NotificationService, _ events: AsyncStream<HostEvent>,
    _ continuation: AsyncStream<HostEvent>.Continuation, _ depth: ColourDepth, isDrawn: Bool
  ) async -> TerminalOutcome {
    let device = TerminalDevice()
    var settings = TerminalModel.Settings()
    settings.endsAfterFirst = options.once
    settings.press = options.press
    let face: any Face =
      isDrawn ? DrawnFace(device: device, depth: depth, saysFarewell: options.once) : PlainFace(device: device)
    var host = TerminalHost(
      service: service, model: TerminalModel(settings: settings), face: face, readsMarkup: isDrawn,
      keepsPictures: depth != .none)
    let sources = HostSources(continuation)
    signal(SIGPIPE, SIG_IGN)
    sources.watch(signals: [SIGINT, SIGTERM, SIGHUP] + (isDrawn ? [SIGWINCH, SIGCONT, SIGTSTP] : []))
    host.begin()
    sources.readInput()
    var outcome: TerminalOutcome?
    for await event in events {
      outcome = host.handle(event)
      if outcome != nil { break }
      sources.wake(after: host.delay)
    }
    host.end()
    sources.stop()
    return outcome ?? .finished
  }
}

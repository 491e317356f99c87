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

  /// Runs until the user quits, another daemon takes over, the bus goes or a signal ends it. It uses stdin, stdout and
  /// stderr, takes over SIGINT, SIGTERM, SIGHUP and SIGPIPE, and is meant to be run once in a process. From any isolation.
  public func run(on address: BusAddress) async -> TerminalOutcome {
    let obstacle = TerminalDevice.obstacle(environment: environment)
    let isDrawn = !options.plain && obstacle == nil
    if isDrawn, TerminalDevice.isInBackground {
      return .failed("the terminal is in use by another job: run it in the foreground, or with --plain")
    }
    let device = TerminalDevice()
    let depth = isDrawn ? ColourDepth(environment: environment) : .none
    let (events, continuation) = AsyncStream.makeStream(of: HostEvent.self)
    let inbox = Inbox { item in
      switch item {
      case .signal: continuation.yield(.nameLost)
      case .disconnected(let error): continuation.yield(.busLost(error))
      case .subscriptionFailed(_, let error): continuation.yield(.busLost(error))
      case .reply, .reconnected: break
      }
    }
    do {
      let connection = try await BusConnection.connect(to: address)
      let lost = connection.subscribe(
        MatchRule(
          sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameLost",
          firstArgument: NotificationService.name.text), to: inbox)
      let calls = ServiceCalls(continuation)
      let capabilities = Self.capabilities(isDrawn: isDrawn, depth: depth)
      let service = NotificationService(
        on: connection,
        information: ServerInformation(
          name: "notify-bridge terminal", vendor: "notify-bridge", version: options.version, specVersion: "1.2"),
        capabilities: { capabilities }, delegate: calls)
      guard try await service.acquireName(replacing: options.replace) else {
        let owner = await NameOwner(on: connection)
        await connection.close()
        return .nameTaken(owner.complaint(triedToReplace: options.replace))
      }
      if !isDrawn, !options.plain, let obstacle { device.remark("notify-bridge terminal: plain, since \(obstacle)\n") }
      let outcome = await serve(service, events, continuation, device, depth, isDrawn: isDrawn)
      withExtendedLifetime(lost) {}
      await connection.close()
      return outcome
    } catch {
      return .noBus("cannot serve notifications on \(address): \(error)")
    }
  }

  static func capabilities(isDrawn: Bool, depth: ColourDepth) -> Capabilities {
    var words = ["actions", "body"]
    if isDrawn { words.append("body-markup") }
    if isDrawn, depth != .none { words.append("icon-static") }
    return Capabilities(words + ["inline-reply"])
  }

  private func serve(
    _ service: NotificationService, _ events: AsyncStream<HostEvent>,
    _ continuation: AsyncStream<HostEvent>.Continuation, _ device: TerminalDevice, _ depth: ColourDepth, isDrawn: Bool
  ) async -> TerminalOutcome {
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

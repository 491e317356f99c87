public import DBus
internal import FoundationEssentials
internal import Glibc
public import NotificationBridge

/// Plays and opens the files of notifications: sounds by the sound player, everything else, and what it cannot play, by
/// the user's program for the type. That is asked for through the desktop's portal, else through `gio` or `xdg-open`.
public final class FileOpener: AttachmentOpener {
  /// What it uses.
  public struct Options: Sendable {
    /// Where `PATH` is looked for, and what programs get.
    public var environment: [String: String]
    /// Plays a file by its path; for sounds longer than those of notifications.
    public var player: SoundPlayer
    /// The connection to the session bus; nil: there is none.
    public var session: @Sendable () async -> BusConnection? = { nil }
    public var log: any BridgeLog
    /// Where its tasks run; nil: on the system's threads.
    public var executor: BusExecutor?

    public init(environment: [String: String], log: any BridgeLog) {
      self.environment = environment
      self.log = log
      var player = SoundPlayer.Options(environment: environment)
      player.timeLimit = .seconds(900)
      self.player = SoundPlayer(player)
    }
  }

  private let options: Options

  public init(_ options: Options) { self.options = options }

  public func play(_ file: String, mimeType: String, application: String, activationToken: String?) {
    let options = options
    Task(executorPreference: options.executor) {
      switch await options.player.play(.file(file), for: application) {
      case .played, .silent: return
      case .missing: return options.log.write(.warning, "there is no sound \(file.quotedForPeople) any more")
      case .noPlayer: break
      case .failed(let reason): options.log.write(.info, "\(file.quotedForPeople) is opened, not played: \(reason)")
      }
      await self.open(file, application, activationToken)
    }
  }

  public func open(_ file: String, mimeType: String, application: String, activationToken: String?) {
    Task(executorPreference: options.executor) { await self.open(file, application, activationToken) }
  }

  private nonisolated(nonsending) func open(_ file: String, _ application: String, _ token: String?) async {
    let session = await options.session()
    var reasons: [String] = []
    if let session, await openByPortal(file, token, session, &reasons) { return }
    for (program, arguments) in [("gio", ["open", file]), ("xdg-open", [file])] {
      if await open(by: program, arguments, application, token, session, &reasons) { return }
    }
    options.log.write(
      .warning,
      "\(file.quotedForPeople) was not opened: \(reasons.joined(separator: "; ")); install xdg-desktop-portal with a "
        + "backend, or xdg-utils")
  }

  /// Source: xdg-desktop-portal, org.freedesktop.portal.OpenURI, OpenFile. The answer to the user's choice of a program
  /// comes later and is not waited for.
  private nonisolated(nonsending) func openByPortal(
    _ file: String, _ token: String?, _ session: BusConnection, _ reasons: inout [String]
  ) async -> Bool {
    let descriptor = unsafe Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      reasons.append("it cannot be read")
      return false
    }
    var entries: [(String, Value)] = [("writable", .boolean(false))]
    if let token { entries.append(("activation_token", .string(token))) }
    let call = MethodCall(
      to: "org.freedesktop.portal.Desktop", at: "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI",
      "OpenFile", [.string(""), .unixFD(OwnedDescriptor(adopting: descriptor)), .properties(entries)])
    do throws(BusError) {
      _ = try await session.call(call, timeout: .seconds(5))
      return true
    } catch {
      // A portal that is slow may open it yet: a second program with the same file is worse than none.
      if error.code == .timedOut {
        options.log.write(.warning, "the portal did not say whether it opens \(file.quotedForPeople)")
        return true
      }
      reasons.append("the portal: \(error)")
      return false
    }
  }

  /// In a unit of its own where there is a user manager: what it starts is then none of ours, and under none of our limits.
  private nonisolated(nonsending) func open(
    by program: String, _ arguments: [String], _ application: String, _ token: String?, _ session: BusConnection?,
    _ reasons: inout [String]
  ) async -> Bool {
    var command = Command(program, arguments, environment: options.environment, workingDirectory: "/")
    if let token {
      command.environment["XDG_ACTIVATION_TOKEN"] = token
      command.environment["DESKTOP_STARTUP_ID"] = token
    }
    do throws(CommandError) {
      if let session {
        _ = try await ApplicationActivation(session: session).start("\(application)-attachment", command)
      } else {
        try await ChildProcess.startDetached(command)
      }
      return true
    } catch {
      reasons.append(error.message)
      return false
    }
  }
}

internal import DBus
internal import Dispatch
internal import FreedesktopNotifications
internal import Glibc

/// The dialogue with the daemon, on the calling thread, from the first question to the end of the notification.
struct NotifySendDialogue {
  let options: NotifySendOptions
  let request: NotifySendRequest
  let connection: BusConnection
  private let mailbox: NotifySendMailbox
  private let inbox: Inbox
  /// Signals that came ahead of the answer that tells their number.
  private var early: [Message] = []
  private var token: UInt64 = 0
  private var subscriptions: [Subscription] = []

  /// Every call's time limit, as GLib's.
  private static let limit = Duration.seconds(25)
  /// How long to wait for the daemon to say that a notification is closed after an action, when it was told to.
  private static let farewell = 5

  init(_ options: NotifySendOptions, _ request: NotifySendRequest, on connection: BusConnection) {
    self.options = options
    self.request = request
    self.connection = connection
    let mailbox = NotifySendMailbox()
    self.mailbox = mailbox
    inbox = Inbox { mailbox.put(.bus($0)) }
  }

  /// Runs the dialogue.
  /// - Returns: the exit status.
  mutating func run() -> Int32 {
    var status: Int32 = 0
    var actions: [Action] = []
    do throws(Failure) {
      let information = try ask("GetServerInformation")
      if information.signature != "ssss" { throw Failure("the daemon's answer to GetServerInformation makes no sense") }
      if !options.actions.isEmpty {
        if canTakeActions() {
          do throws(NotifySendRequest.Fault) {
            actions = try NotifySendRequest.actions(options.actions)
          } catch {
            throw Failure(error.message, isSilent: true)
          }
        } else {
          NotifySendOutput.message("the notification daemon takes no actions; shown without them")
          status = 1
        }
      }
      let waits = options.waits || !actions.isEmpty
      if waits { listen() }
      let answer = try ask("Notify", request.arguments(with: actions))
      guard answer.signature == "u", let serverID = answer.body.first?.asUInt32 else {
        throw Failure("the daemon's answer to Notify makes no sense")
      }
      tell(serverID)
      return waits ? waitForEnd(of: serverID, owner: answer.sender, actions, status) : status
    } catch {
      NotifySendOutput.message(error.message)
      if !error.isSilent { tell(options.replacesID) }
      return 1
    }
  }

  /// Why the notification is not shown.
  private struct Failure: Error {
    var message: String
    /// Even the number is not printed.
    var isSilent = false

    init(_ message: String, isSilent: Bool = false) {
      self.message = message
      self.isSilent = isSilent
    }
  }

  /// Prints the number where it was asked for, as a signed one.
  private func tell(_ serverID: UInt32) { Self.tell(serverID, options) }

  static func tell(_ serverID: UInt32, _ options: NotifySendOptions) {
    let number = String(Int32(bitPattern: serverID))
    if options.printsID { NotifySendOutput.line(number) }
    NotifySendOutput.line(number, to: options.idDescriptor)
  }

  private func call(_ member: MemberName, _ body: [Value] = []) -> MethodCall {
    MethodCall(
      to: NotificationService.name, at: NotificationService.path, NotificationService.interface, member, body)
  }

  private mutating func ask(_ member: MemberName, _ body: [Value] = []) throws(Failure) -> Message {
    token += 1
    connection.post(call(member, body), timeout: Self.limit, to: inbox, token: token)
    while case .bus(let item)? = mailbox.take() {
      switch item {
      case .reply(token, .success(let message)): return message
      case .reply(token, .failure(let error)):
        throw Failure(error.meansNoDaemon ? "there is no notification daemon: \(error)" : "\(member) failed: \(error)")
      case .signal(let message): early.append(message)
      case .subscriptionFailed(_, let error), .disconnected(let error): throw Failure("\(error)")
      case .reply, .reconnected: continue
      }
    }
    throw Failure("no answer")
  }

  /// A daemon that does not answer has none.
  private mutating func canTakeActions() -> Bool {
    guard let words = (try? ask("GetCapabilities"))?.body.first?.asStrings else { return false }
    return words.contains { NotifySendWords.lowercased($0.utf8) == "actions" }
  }

  private mutating func listen() {
    let signals = MatchRule(
      sender: NotificationService.name, path: NotificationService.path, interface: NotificationService.interface)
    let owner = MatchRule(
      sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      firstArgument: NotificationService.name.text)
    subscriptions = [connection.subscribe(owner, to: inbox), connection.subscribe(signals, to: inbox)]
  }
}

extension NotifySendDialogue {
  /// Waits until the notification is closed, Ctrl-C is pressed, or nobody is left who could close it.
  private mutating func waitForEnd(of serverID: UInt32, owner: BusName?, _ actions: [Action], _ status: Int32) -> Int32
  {
    let interrupt = NotifySendInterrupt(mailbox)
    defer { interrupt.cancel() }
    var wait = Wait(serverID: serverID, owner: owner, actions: actions, options: options)
    var pending = early[...]
    var deadline = DispatchTime.distantFuture
    while true {
      let step: Wait.Step
      if let message = pending.popFirst() {
        step = wait.receive(message)
      } else {
        switch mailbox.take(until: deadline) {
        case .bus(.signal(let message)): step = wait.receive(message)
        case .bus(.disconnected):
          // As GLib does to a program whose bus is gone.
          signal(SIGTERM, SIG_DFL)
          raise(SIGTERM)
          return 1
        case .bus(.subscriptionFailed(_, let error)):
          NotifySendOutput.message("\(error)")
          return 1
        case .bus: step = .goOn
        case .interrupted:
          NotifySendOutput.message("interrupted; the notification is closed")
          connection.send(call("CloseNotification", [.uint32(serverID)]))
          hangUp()
          return status
        case nil: return status
        }
      }
      switch step {
      case .goOn: continue
      case .acted:
        connection.send(call("CloseNotification", [.uint32(serverID)]))
        deadline = .now() + .seconds(Self.farewell)
      case .ended:
        // The call that closes must be out, even if the daemon has closed by itself.
        if deadline != .distantFuture { hangUp() }
        return status
      case .lost:
        NotifySendOutput.message("the notification daemon is gone")
        return 1
      }
    }
  }

  /// Sees to it that everything is out, and closes the connection.
  private func hangUp() {
    _ = NotifySendMailbox.wait { [connection] () async throws(BusError) in await connection.close() }
  }
}

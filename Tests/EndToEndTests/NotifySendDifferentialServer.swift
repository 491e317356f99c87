import DBus
import FreedesktopNotifications
import Synchronization
import TestSupport

/// A notification daemon that records calls as they came on the wire, and lets a user of few habits react to them.
final class NotifySendDifferentialServer: Sendable {
  /// How this daemon differs from an ordinary one.
  struct Behavior: Sendable {
    var capabilities = ["body", "actions"]
    var specVersion = "1.2"
    /// The number given to a notification that replaces none.
    var number: UInt32 = 7
    /// What happens to the notification, in order.
    var reactions: [Reaction] = []
    /// Whether the reactions come ahead of the answer.
    var reactsEarly = false
    var confirmsClosing = true
    /// Methods that fail.
    var failing: Set<String> = []
  }

  /// What a user or the daemon does with a notification.
  enum Reaction: Sendable {
    case press(String)
    case close(UInt32)
    case token(String)
    /// A signal about another notification.
    case pressOther(String)
  }

  private let connection: BusConnection
  private let exports: Mutex<[Export]> = Mutex([])
  private let state: Mutex<State>

  private struct State: Sendable {
    var behavior = Behavior()
    var notified: [[Value]] = []
    var closed: [UInt32] = []
  }

  private init(_ connection: BusConnection) {
    self.connection = connection
    state = Mutex(State())
  }

  static func start(at address: BusAddress) async throws -> NotifySendDifferentialServer {
    let connection = try await BusConnection.connect(to: address)
    let server = NotifySendDifferentialServer(connection)
    let export = connection.export(server.interface, at: NotificationService.path)
    server.exports.withLock { $0.append(export) }
    guard try await connection.requestName(NotificationService.name) == .owner else {
      throw BusError(.unexpectedReply, "the name is taken")
    }
    return server
  }

  /// Begins a new case.
  func reset(_ behavior: Behavior) {
    state.withLock { $0 = State(behavior: behavior) }
  }

  /// The arguments of every `Notify`, and the number of every `CloseNotification`.
  var calls: (notified: [[Value]], closed: [UInt32]) { state.withLock { ($0.notified, $0.closed) } }

  private var interface: ExportedInterface {
    let signature = ["s", "u", "s", "s", "s", "as", "a{sv}", "i"] as [Signature]
    return ExportedInterface(
      NotificationService.interface,
      methods: [
        .init("GetCapabilities", returns: [.init("capabilities", "as")]) { [weak self] call in
          self?.answer(call) { [.strings($0.behavior.capabilities)] }
        },
        .init(
          "GetServerInformation",
          returns: [.init("name", "s"), .init("vendor", "s"), .init("version", "s"), .init("spec_version", "s")]
        ) { [weak self] call in
          self?.answer(call) {
            [.string("fake"), .string("test"), .string("1"), .string($0.behavior.specVersion)]
          }
        },
        .init(
          "Notify", takes: signature.enumerated().map { .init("argument\($0)", $1) }, returns: [.init("id", "u")]
        ) { [weak self] in self?.notify($0) },
        .init("CloseNotification", takes: [.init("id", "u")]) { [weak self] in self?.close($0) },
      ])
  }

  private func answer(_ call: IncomingCall, _ body: (State) -> [Value]) {
    let state = state.withLock { $0 }
    if let member = call.message.member, state.behavior.failing.contains(member.text) {
      call.fail("org.example.Refused", "not today")
    } else {
      call.reply(body(state))
    }
  }

  private func notify(_ call: IncomingCall) {
    let (behavior, number) = state.withLock { state in
      state.notified.append(call.message.body)
      let replaced = call.message.body[1].asUInt32 ?? 0
      return (state.behavior, replaced == 0 ? state.behavior.number : replaced)
    }
    if behavior.failing.contains("Notify") { return call.fail("org.example.Refused", "not today") }
    if behavior.reactsEarly { react(behavior, number) }
    call.reply([.uint32(number)])
    if !behavior.reactsEarly { react(behavior, number) }
  }

  private func react(_ behavior: Behavior, _ number: UInt32) {
    for reaction in behavior.reactions {
      switch reaction {
      case .press(let key): emit("ActionInvoked", [.uint32(number), .string(key)])
      case .close(let reason): emit("NotificationClosed", [.uint32(number), .uint32(reason)])
      case .token(let token): emit("ActivationToken", [.uint32(number), .string(token)])
      case .pressOther(let key): emit("ActionInvoked", [.uint32(number &+ 1), .string(key)])
      }
    }
  }

  private func close(_ call: IncomingCall) {
    let number = call.message.body.first?.asUInt32 ?? 0
    let confirms = state.withLock { state in
      state.closed.append(number)
      return state.behavior.confirmsClosing
    }
    call.reply()
    if confirms { emit("NotificationClosed", [.uint32(number), .uint32(3)]) }
  }

  private func emit(_ member: MemberName, _ body: [Value]) {
    connection.emit(Signal(at: NotificationService.path, NotificationService.interface, member, body))
  }
}

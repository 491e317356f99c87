internal import DBus
internal import Synchronization

/// The `LockedHint` of the user's graphical session, from login1 on the system bus.
///
/// A user's service is in no session itself, so the way goes by the user's `Display`.
final class LoginLock: Sendable {
  private struct State: Sendable {
    var login = FollowedName(.login, token: 1)
    var user: ObjectPath?
    var session: ObjectPath?
    var hint: Bool?
    /// Rises with every question, so that an answer to an earlier one is told from the last.
    var question: UInt64 = 10
    var asked: [UInt64: Question] = [:]
    var subscriptions: [Subscription] = []
  }

  private enum Question: Sendable { case user, display, hint }

  private let connection: BusConnection
  private let userID: UInt32
  private let state = Mutex(State())
  private let changed: @Sendable (Bool?) -> Void
  private let inbox: Inbox
  private let subscriptions: [Subscription]

  /// - Parameter changed: called on the connection's thread with the hint whenever it is another, nil for unknown.
  init(_ connection: BusConnection, userID: UInt32, changed: @escaping @Sendable (Bool?) -> Void) {
    self.connection = connection
    self.userID = userID
    self.changed = changed
    let link = WeakLink<LoginLock>()
    inbox = Inbox { link.target?.receive($0) }
    let login = state.withLock { $0.login }
    subscriptions =
      [login.subscribe(connection, to: inbox)]
      + ["SessionNew", "SessionRemoved"].map { [inbox] member in
        connection.subscribe(
          MatchRule(sender: .login, path: .login, interface: .loginManager, member: member), to: inbox)
      }
    link.target = self
    login.ask(connection, to: inbox)
  }

  private func receive(_ item: Inbox.Item) {
    let (changes, login) = state.withLock { state in (state.login.take(item), state.login) }
    if changes {
      forget()
      if login.owner != nil { ask(.user) }
      return
    }
    switch item {
    case .signal(let message):
      if login.owner != nil, message.sender == login.owner { receive(message) }
    case .reply(let token, let result):
      guard let question = state.withLock({ $0.asked.removeValue(forKey: token) }) else { return }
      answered(question, try? result.get())
    case .reconnected: login.ask(connection, to: inbox)
    case .disconnected: forget()
    case .subscriptionFailed: break
    }
  }

  private func receive(_ message: Message) {
    let (user, session) = state.withLock { ($0.user, $0.session) }
    switch message.member?.text {
    case "SessionNew", "SessionRemoved": ask(user == nil ? .user : .display)
    case "PropertiesChanged" where message.path == user: ask(.display)
    case "PropertiesChanged" where message.path == session:
      guard message.body.count == 3, message.body[0].asString == Self.session.text else { return }
      if let hint = message.body[1].asProperties?["LockedHint"]?.asBool {
        set(hint)
      } else if message.body[2].asStrings?.contains("LockedHint") == true {
        ask(.hint)
      }
    default: break
    }
  }

  private func answered(_ question: Question, _ answer: Message?) {
    let value = answer?.body.first?.unwrapped
    switch question {
    case .user:
      guard case .objectPath(let path)? = value else { return forget() }
      follow(user: path)
      ask(.display)
    case .display:
      // (id, path); "/" when there is none.
      guard let members = value?.asStructure, members.count == 2, case .objectPath(let path) = members[1],
        path.text != "/"
      else {
        state.withLock { $0.session = nil }
        return set(nil)
      }
      if state.withLock({ $0.session != path }) { follow(session: path) }
      ask(.hint)
    case .hint: set(value?.asBool)
    }
  }

  private static let session: InterfaceName = "org.freedesktop.login1.Session"
  private static let user: InterfaceName = "org.freedesktop.login1.User"

  /// Listens to the properties of the user, or of the user and a session.
  private func follow(user: ObjectPath? = nil, session: ObjectPath? = nil) {
    let paths = state.withLock { state in
      if let user { state.user = user }
      if let session { state.session = session }
      return [state.user, state.session].compactMap(\.self)
    }
    let new = paths.map { path in
      connection.subscribe(
        MatchRule(sender: .login, path: path, interface: .properties, member: "PropertiesChanged"), to: inbox)
    }
    // The old ones go outside of the lock.
    let old = state.withLock { state in
      defer { state.subscriptions = new }
      return state.subscriptions
    }
    withExtendedLifetime(old) {}
  }

  private func ask(_ question: Question) {
    let (call, token): (MethodCall?, UInt64) = state.withLock { state in
      guard let call = Self.call(question, userID, state) else { return (nil, 0) }
      state.question += 1
      // Only the last answer to a question counts.
      state.asked = state.asked.filter { $0.value != question }
      state.asked[state.question] = question
      return (call, state.question)
    }
    if let call { connection.post(call, timeout: .seconds(5), to: inbox, token: token) }
  }

  private static func call(_ question: Question, _ userID: UInt32, _ state: State) -> MethodCall? {
    guard let owner = state.login.owner else { return nil }
    func get(_ path: ObjectPath, _ interface: InterfaceName, _ name: String) -> MethodCall {
      MethodCall(
        to: owner, at: path, .properties, "Get", [.string(interface.text), .string(name)], startsService: false)
    }
    switch question {
    case .user:
      return MethodCall(to: owner, at: .login, .loginManager, "GetUser", [.uint32(userID)], startsService: false)
    case .display: return state.user.map { get($0, user, "Display") }
    case .hint: return state.session.map { get($0, session, "LockedHint") }
    }
  }

  private func forget() {
    let old = state.withLock { state in
      (state.user, state.session, state.asked) = (nil, nil, [:])
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    withExtendedLifetime(old) {}
    set(nil)
  }

  private func set(_ hint: Bool?) {
    let changes = state.withLock { state in
      defer { state.hint = hint }
      return state.hint != hint
    }
    if changes { changed(hint) }
  }
}

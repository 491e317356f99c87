public import DBus
internal import Synchronization

/// Tells when the machine has slept.
///
/// Source: org.freedesktop.login1(5), `PrepareForSleep`.
public final class SleepMonitor: Sendable {
  private let connection: BusConnection
  private let login = Mutex(FollowedName(.login, token: 1))
  private let woke: @Sendable () -> Void
  private let inbox: Inbox
  private let subscriptions: [Subscription]

  /// - Parameters:
  ///   - system: a connection to the system bus.
  ///   - woke: called on the connection's thread when the machine has awoken; it must not block.
  public init(system: BusConnection, woke: @escaping @Sendable () -> Void) {
    connection = system
    self.woke = woke
    let link = WeakLink<SleepMonitor>()
    inbox = Inbox { link.target?.receive($0) }
    let login = login.withLock { $0 }
    subscriptions = [
      login.subscribe(system, to: inbox),
      system.subscribe(
        MatchRule(sender: .login, path: .login, interface: .loginManager, member: "PrepareForSleep"), to: inbox),
    ]
    link.target = self
    login.ask(system, to: inbox)
  }

  private func receive(_ item: Inbox.Item) {
    let login = login.withLock { login in
      _ = login.take(item)
      return login
    }
    switch item {
    case .signal(let message) where message.member == "PrepareForSleep":
      if message.sender == login.owner, login.owner != nil, message.body.first?.asBool == false { woke() }
    case .reconnected: login.ask(connection, to: inbox)
    default: break
    }
  }
}

extension BusName {
  static let login: BusName = "org.freedesktop.login1"
}
extension ObjectPath {
  static let login: ObjectPath = "/org/freedesktop/login1"
}
extension InterfaceName {
  static let loginManager: InterfaceName = "org.freedesktop.login1.Manager"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
}

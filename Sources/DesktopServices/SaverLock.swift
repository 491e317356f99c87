internal import DBus
internal import Synchronization

/// Whether a screen saver on the session bus is active.
final class SaverLock: Sendable {
  /// One of those that there are.
  fileprivate struct Saver: Sendable {
    var name: FollowedName
    let interface: InterfaceName
    /// Where it is asked, one after the other.
    let paths: [ObjectPath]
    /// The number under which it is asked, by path.
    let token: UInt64
    /// Nil while it has not said.
    var isActive: Bool?
  }

  /// GNOME's owner of org.freedesktop.ScreenSaver has no GetActive, which is an error and so unknown.
  private static let known: [(BusName, InterfaceName, [ObjectPath])] = [
    ("org.gnome.ScreenSaver", "org.gnome.ScreenSaver", ["/org/gnome/ScreenSaver"]),
    (
      "org.freedesktop.ScreenSaver", "org.freedesktop.ScreenSaver",
      ["/org/freedesktop/ScreenSaver", "/ScreenSaver"]
    ),
    ("org.cinnamon.ScreenSaver", "org.cinnamon.ScreenSaver", ["/org/cinnamon/ScreenSaver"]),
    ("org.mate.ScreenSaver", "org.mate.ScreenSaver", ["/org/mate/ScreenSaver"]),
    ("org.xfce.ScreenSaver", "org.xfce.ScreenSaver", ["/org/xfce/ScreenSaver"]),
  ]

  private let connection: BusConnection
  private let savers: Mutex<[Saver]>
  private let changed: @Sendable (Bool?) -> Void
  private let inbox: Inbox
  private let subscriptions: [Subscription]

  /// - Parameter changed: called on the connection's thread with whether any is active, after each word of one.
  init(_ connection: BusConnection, changed: @escaping @Sendable (Bool?) -> Void) {
    self.connection = connection
    self.changed = changed
    let link = WeakLink<SaverLock>()
    inbox = Inbox { link.target?.receive($0) }
    let savers = Self.known.enumerated().map { index, known in
      Saver(
        name: FollowedName(known.0, token: UInt64(index) * 10), interface: known.1, paths: known.2,
        token: UInt64(index) * 10 + 1)
    }
    self.savers = Mutex(savers)
    subscriptions = savers.flatMap { [inbox] saver in
      [
        saver.name.subscribe(connection, to: inbox),
        connection.subscribe(
          MatchRule(sender: saver.name.name, interface: saver.interface, member: "ActiveChanged"), to: inbox),
      ]
    }
    link.target = self
    for saver in savers { saver.name.ask(connection, to: inbox) }
  }

  private func receive(_ item: Inbox.Item) {
    var asked: [(Saver, Int)] = []
    let before = savers.withLock { $0.map(\.isActive) }
    let after = savers.withLock { savers in
      for index in savers.indices {
        if savers[index].name.take(item) {
          savers[index].isActive = nil
          if savers[index].name.owner != nil { asked.append((savers[index], 0)) }
        } else if let next = savers[index].take(item) {
          asked.append((savers[index], next))
        }
      }
      return savers.map(\.isActive)
    }
    if case .reconnected = item {
      for saver in savers.withLock({ $0 }) { saver.name.ask(connection, to: inbox) }
    }
    for (saver, path) in asked {
      guard let owner = saver.name.owner else { continue }
      connection.post(
        MethodCall(to: owner, at: saver.paths[path], saver.interface, "GetActive", startsService: false),
        timeout: .seconds(5), to: inbox, token: saver.token + UInt64(path))
    }
    if before != after {
      let known = after.compactMap(\.self)
      changed(known.isEmpty ? nil : known.contains(true))
    }
  }
}

extension SaverLock.Saver {
  /// Takes what concerns it.
  /// - Returns: the path to be asked next, if this one does not answer.
  fileprivate mutating func take(_ item: Inbox.Item) -> Int? {
    switch item {
    case .signal(let message):
      guard message.member == "ActiveChanged", message.interface == interface, let owner = name.owner,
        message.sender == owner, let active = message.body.first?.asBool
      else { return nil }
      isActive = active
    case .reply(let answered, let result) where answered >= token && answered < token + UInt64(paths.count):
      // A signal that came meanwhile is as true.
      if case .success(let message) = result, message.sender == name.owner {
        isActive = message.body.first?.asBool ?? isActive
      } else if case .failure = result, Int(answered - token) + 1 < paths.count {
        return Int(answered - token) + 1
      }
    case .disconnected: isActive = nil
    case .reply, .reconnected, .subscriptionFailed: break
    }
    return nil
  }
}

public import DBus
internal import Synchronization

/// Numbers on the icons of docks and task managers.
///
/// A dock forgets them when this connection leaves the bus, so the one who keeps them must stay; and Plasma then clears
/// the last one only, so ``clearAll()`` comes before leaving.
/// Source: `com.canonical.Unity.LauncherEntry`, as Plasma, Dash to Dock, Plank and others read it.
public final class LauncherBadges: Sendable {
  private struct State: Sendable {
    var counts: [String: Int] = [:]
    var exports: [String: Export] = [:]
    var listener = FollowedName("com.canonical.Unity", token: 1)
  }

  private let connection: BusConnection
  private let state = Mutex(State())
  private let supportChanged: @Sendable () -> Void
  private let inbox: Inbox
  private let subscription: Subscription

  /// - Parameters:
  ///   - connection: to the session bus.
  ///   - supportChanged: called on the connection's thread when ``isSupported`` has changed; it must not block.
  public init(on connection: BusConnection, supportChanged: @escaping @Sendable () -> Void = {}) {
    self.connection = connection
    self.supportChanged = supportChanged
    let link = WeakLink<LauncherBadges>()
    inbox = Inbox { link.target?.receive($0) }
    let listener = state.withLock { $0.listener }
    subscription = listener.subscribe(connection, to: inbox)
    link.target = self
    listener.ask(connection, to: inbox)
  }

  /// Whether somebody shows badges; nil while the bus has not said.
  public var isSupported: Bool? { state.withLock { $0.listener.isKnown ? $0.listener.owner != nil : nil } }

  /// The numbers that are shown now, by application; none is 0.
  public var counts: [String: Int] { state.withLock { $0.counts } }

  /// Shows a number, or none for 0 and less.
  /// - Parameter application: the name of its desktop entry without `.desktop`.
  public func set(_ count: Int, for application: String) {
    let count = max(count, 0)
    let changes = state.withLock { state in
      defer { state.counts[application] = count == 0 ? nil : count }
      return state.counts[application] ?? 0 != count
    }
    guard changes else { return }
    let export = count == 0 ? nil : connection.export(query(application), at: Self.path(application))
    // What it replaces is released outside of the lock.
    let old = state.withLock { state in
      defer { state.exports[application] = export }
      return state.exports[application]
    }
    withExtendedLifetime(old) {}
    emit(count, application)
  }

  /// Takes all numbers away.
  public func clearAll() {
    for application in counts.keys { set(0, for: application) }
  }

  private func receive(_ item: Inbox.Item) {
    let (changes, isShown) = state.withLock { state in
      let changes = state.listener.take(item)
      return (changes, state.listener.owner != nil)
    }
    if case .reconnected = item {
      state.withLock { $0.listener }.ask(connection, to: inbox)
    }
    guard changes else { return }
    // A dock that starts, or starts anew, knows none of them.
    if isShown {
      for (application, count) in counts { emit(count, application) }
    }
    supportChanged()
  }

  private func emit(_ count: Int, _ application: String) {
    connection.emit(Signal(at: Self.path(application), Self.interface, "Update", Self.arguments(count, application)))
  }

  /// Answers a listener that came later and asks.
  private func query(_ application: String) -> ExportedInterface {
    ExportedInterface(
      Self.interface,
      methods: [
        .init("Query", returns: [.init("app_uri", "s"), .init("properties", "a{sv}")]) { [weak self] call in
          call.reply(Self.arguments(self?.counts[application] ?? 0, application))
        }
      ],
      signals: [.init("Update", [.init("app_uri", "s"), .init("properties", "a{sv}")])])
  }

  private static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"

  private static func uri(_ application: String) -> String { "application://\(application).desktop" }

  private static func arguments(_ count: Int, _ application: String) -> [Value] {
    [
      .string(uri(application)),
      .properties([("count", .int64(Int64(count))), ("count-visible", .boolean(count > 0))]),
    ]
  }

  /// By convention the path ends in GLib's hash of the URI: 5381, then for each byte, signed, times 33 plus it.
  static func path(_ application: String) -> ObjectPath {
    let hash = uri(application).utf8.reduce(UInt32(5381)) { hash, byte in
      hash &* 33 &+ UInt32(bitPattern: Int32(Int8(bitPattern: byte)))
    }
    return ObjectPath(unchecked: "/com/canonical/unity/launcherentry/\(hash)")
  }
}

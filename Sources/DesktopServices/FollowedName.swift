internal import DBus
internal import Synchronization

/// Who owns a name on the bus, followed in one inbox: what an inbox gets is given to ``take(_:)`` in its order.
///
/// A rule by a well-known name lets through what its owner sends, but another rule on the same connection may let
/// through what others send in its place; so a sender is compared with ``owner``.
struct FollowedName: Sendable {
  let name: BusName
  /// The number under which the bus is asked.
  private let token: UInt64
  /// The present owner's unique name; nil if there is none, or none is known.
  private(set) var owner: BusName?
  /// Whether the bus has said who owns it.
  private(set) var isKnown = false

  init(_ name: BusName, token: UInt64) {
    self.name = name
    self.token = token
  }

  /// Lets changes come to the inbox, for as long as the subscription is kept.
  func subscribe(_ connection: BusConnection, to inbox: Inbox) -> Subscription {
    connection.subscribe(
      MatchRule(
        sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: name.text), to: inbox)
  }

  /// Asks who owns it now; the answer comes to the inbox. Starts nobody.
  func ask(_ connection: BusConnection, to inbox: Inbox) {
    connection.post(
      MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetNameOwner", [.string(name.text)]),
      timeout: .seconds(10), to: inbox, token: token)
  }

  /// Takes what concerns it.
  /// - Returns: true if there is another owner, or none any more, or the bus has said so for the first time.
  mutating func take(_ item: Inbox.Item) -> Bool {
    switch item {
    case .signal(let message):
      guard message.member == "NameOwnerChanged", message.sender == .bus, message.body.count == 3,
        message.body[0].asString == name.text
      else { return false }
      return set(message.body[2].asString.flatMap { try? BusName($0) })
    case .reply(token, .success(let message)):
      return set(message.body.first?.asString.flatMap { try? BusName($0) })
    case .reply(token, .failure(let error)):
      return error.name == .nameHasNoOwner ? set(nil) : false
    case .disconnected:
      let changes = owner != nil
      (owner, isKnown) = (nil, false)
      return changes
    case .reply, .reconnected, .subscriptionFailed: return false
    }
  }

  private mutating func set(_ owner: BusName?) -> Bool {
    defer { (self.owner, isKnown) = (owner, true) }
    return !isKnown || self.owner != owner
  }
}

/// An inbox whose handler does not keep its owner alive.
final class WeakLink<Target: AnyObject & Sendable>: Sendable {
  private struct Reference {
    weak var target: Target?
  }

  private let reference = Mutex(Reference())

  var target: Target? {
    get { reference.withLock { $0.target } }
    set { reference.withLock { $0.target = newValue } }
  }
}

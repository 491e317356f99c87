public import DBus

/// A `Notify` as the service side receives it. Everything in it was chosen by a peer.
public struct ReceivedNotification: Sendable, Hashable {
  public var appName: String
  public var replacesID: UInt32
  public var appIcon: String
  public var summary: String
  public var body: String
  /// Pairs of key and label; an odd last element is left out.
  public var actions: [Action]
  /// Values without the variant around them.
  public var hints: [String: Value]
  public var expireTimeout: ExpireTimeout
  /// The unique name of the sender.
  public var sender: BusName?

  /// Reads the arguments of `Notify`; nil unless they are exactly ``Notification/signature``.
  public init?(_ arguments: [Value], sender: BusName?) {
    guard arguments.count == 8, let appName = arguments[0].asString, let replacesID = arguments[1].asUInt32,
      let appIcon = arguments[2].asString, let summary = arguments[3].asString, let body = arguments[4].asString,
      let flat = arguments[5].asStrings, let hints = arguments[6].asProperties, let timeout = arguments[7].asInt32
    else { return nil }
    self.appName = appName
    self.replacesID = replacesID
    self.appIcon = appIcon
    self.summary = summary
    self.body = body
    actions = stride(from: 0, to: flat.count - 1, by: 2).map { Action(key: flat[$0], label: flat[$0 + 1]) }
    self.hints = hints
    expireTimeout = ExpireTimeout(milliseconds: timeout)
    self.sender = sender
  }

  /// The urgency, sent as any integer type; normal where it is missing or makes no sense.
  public var urgency: Urgency {
    hints["urgency"]?.asInteger.flatMap(UInt8.init(exactly:)).flatMap(Urgency.init(rawValue:)) ?? .normal
  }

  /// The picture sent as pixels under any of the three spellings, the current one first.
  public var imageData: ImageData? {
    for name in [Hint.ImageDataName.current, .version11, .version10] {
      if let value = hints[name.rawValue], let image = ImageData(value) { return image }
    }
    return nil
  }

  /// Progress in percent, kept within 0…100.
  public var progress: Int? { hints["value"]?.asInteger.map { min(max($0, 0), 100) } }

  /// Whether it stays after an action.
  public var isResident: Bool { hints["resident"]?.asBool ?? false }
}

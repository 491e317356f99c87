/// What kind of message it is.
public enum MessageKind: Sendable, Hashable { case methodCall, methodReturn, error, signal }

/// The value form of a received message. Everything in it was chosen by a peer: check before use.
public struct Message: Sendable, Hashable {
  /// Call, answer, error or signal.
  public var kind: MessageKind
  /// The unique name of the sender, as the bus vouches for it; nil before the bus has answered `Hello`.
  public var sender: BusName?
  /// Whom it was sent to; nil for a broadcast signal.
  public var destination: BusName?
  /// The object of a call or a signal.
  public var path: ObjectPath?
  /// The interface; a call may come without.
  public var interface: InterfaceName?
  /// The method or signal.
  public var member: MemberName?
  /// The name of an error.
  public var errorName: ErrorName?
  /// The sender's number for this message.
  public var serial: UInt32
  /// The number of the call that this answers; 0 if it answers none.
  public var replySerial: UInt32
  /// True for a call whose sender wants no answer.
  public var wantsNoReply: Bool
  /// The arguments.
  public var body: [Value]
  /// Rises by at least one with every message that this connection received: the order in which they came.
  public var sequence: UInt64

  public init(
    kind: MessageKind, sender: BusName? = nil, destination: BusName? = nil, path: ObjectPath? = nil,
    interface: InterfaceName? = nil, member: MemberName? = nil, errorName: ErrorName? = nil, serial: UInt32 = 0,
    replySerial: UInt32 = 0, wantsNoReply: Bool = false, body: [Value] = [], sequence: UInt64 = 0
  ) {
    self.kind = kind
    self.sender = sender
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.errorName = errorName
    self.serial = serial
    self.replySerial = replySerial
    self.wantsNoReply = wantsNoReply
    self.body = body
    self.sequence = sequence
  }

  /// The signature of the whole body.
  public var signature: Signature {
    var text = ""
    for value in body { text += value.signature.text }
    return Signature(unchecked: text)
  }
}

/// A call to be sent.
public struct MethodCall: Sendable, Hashable {
  public var destination: BusName
  public var path: ObjectPath
  public var interface: InterfaceName
  public var member: MemberName
  public var body: [Value]
  /// False: an absent destination is an error instead of being started by the bus.
  public var startsService: Bool

  public init(
    to destination: BusName, at path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    _ body: [Value] = [], startsService: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.startsService = startsService
  }
}

/// A signal to be sent: to everybody, or to one `destination`.
public struct Signal: Sendable, Hashable {
  public var path: ObjectPath
  public var interface: InterfaceName
  public var member: MemberName
  public var body: [Value]
  public var destination: BusName?

  public init(
    at path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [Value] = [],
    to destination: BusName? = nil
  ) {
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.destination = destination
  }
}

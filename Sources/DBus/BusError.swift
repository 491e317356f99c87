/// Why something on the bus did not work: a small code, a sentence, and what the peer or libdbus said.
///
/// Values of this type never stand for a programming mistake of ours; those trap.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was. New codes may be added; always have a default case.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case invalidName, invalidValue, noAddress, notConnected, authentication
      case disconnected, timedOut, cancelled, remote, tooLarge, unsupported, unexpectedReply
    }
    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// A bus name, path, interface, member or signature was malformed.
    public static let invalidName = Code(.invalidName)
    /// A value cannot be sent, for example text with a NUL or an array whose elements differ in type.
    public static let invalidValue = Code(.invalidValue)
    /// Neither a variable nor the usual socket names a bus.
    public static let noAddress = Code(.noAddress)
    /// The address could not be connected to.
    public static let notConnected = Code(.notConnected)
    /// The bus refused who we are; a session bus takes only its own user.
    public static let authentication = Code(.authentication)
    /// The connection ended while the call was in flight.
    public static let disconnected = Code(.disconnected)
    /// No answer came within the time limit; the call may still take effect.
    public static let timedOut = Code(.timedOut)
    /// The task that waited for the answer was cancelled; the call may still take effect.
    public static let cancelled = Code(.cancelled)
    /// The peer, or the bus in its place, answered with an error: see ``BusError/name``.
    public static let remote = Code(.remote)
    /// A message went over a size limit.
    public static let tooLarge = Code(.tooLarge)
    /// The transport cannot do this, for example pass file descriptors.
    public static let unsupported = Code(.unsupported)
    /// The answer does not have the signature that the interface promises.
    public static let unexpectedReply = Code(.unexpectedReply)

    public var description: String { kind.rawValue }
  }

  /// What kind of failure it was.
  public var code: Code
  /// One sentence for people, without a final full stop.
  public var message: String
  /// The D-Bus error name, where a peer or libdbus gave one.
  public var name: ErrorName?

  /// Makes an error.
  public init(_ code: Code, _ message: String, name: ErrorName? = nil) {
    self.code = code
    self.message = message
    self.name = name
  }

  /// The message, with the error name behind it where there is one.
  public var description: String {
    guard let name else { return message }
    return "\(message) (\(name))"
  }
}

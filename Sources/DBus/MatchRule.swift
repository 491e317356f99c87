/// Which signals a subscription wants; every part that is given must fit.
///
/// Source: D-Bus Specification, "Match Rules".
public struct MatchRule: Sendable, Hashable {
  /// Unique, or well-known: then the bus lets through what the name's present owner sends.
  public var sender: BusName?
  public var path: ObjectPath?
  public var interface: InterfaceName?
  public var member: MemberName?
  /// What the first argument must be, if it is text.
  public var firstArgument: String?

  public init(
    sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
    firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule as the bus takes it.
  public var text: String {
    var parts = ["type='signal'"]
    if let sender { parts.append("sender='\(sender)'") }
    if let path { parts.append("path='\(path)'") }
    if let interface { parts.append("interface='\(interface)'") }
    if let member { parts.append("member='\(member)'") }
    if let firstArgument {
      parts.append(
        "arg0='"
          + firstArgument.split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "'\\''") + "'")
    }
    return parts.joined(separator: ",")
  }

  /// True if `message` is a signal that fits. A well-known `sender` is not compared, since messages carry unique
  /// names: whoever relies on it compares with the name's owner. The bus alone sends under its well-known name, so that
  /// is compared: every peer can send us a signal that looks like the bus's, by our unique name, past all rules.
  public func fits(_ message: Message) -> Bool {
    fitsHead(of: message) && (firstArgument == nil || firstArgument == message.body.first?.asString)
  }

  /// ``fits(_:)`` without a look at the arguments.
  func fitsHead(of message: Message) -> Bool {
    message.kind == .signal
      && (path == nil || path == message.path)
      && (interface == nil || interface == message.interface)
      && (member == nil || member == message.member)
      && (sender == nil || sender?.isUnique == false && sender != .bus || sender == message.sender)
  }
}

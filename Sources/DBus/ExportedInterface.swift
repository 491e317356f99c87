/// A whole interface as one table: what introspection shows and who answers.
public struct ExportedInterface: Sendable {
  /// An argument, or what is returned.
  public struct Argument: Sendable, Hashable {
    public var name: String
    public var type: Signature

    public init(_ name: String, _ type: Signature) {
      self.name = name
      self.type = type
    }
  }

  /// A method. A call whose arguments do not have exactly these types is answered with `InvalidArgs` and never
  /// reaches the handler.
  public struct Method: Sendable {
    public var name: MemberName
    public var inputs: [Argument]
    public var outputs: [Argument]
    /// Called on the connection's thread in the order in which calls arrive; it must not block. It, or someone it
    /// hands the call to, answers once.
    public var handler: @Sendable (IncomingCall) -> Void

    public init(
      _ name: MemberName, takes inputs: [Argument] = [], returns outputs: [Argument] = [],
      handler: @escaping @Sendable (IncomingCall) -> Void
    ) {
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
      self.handler = handler
    }
  }

  /// A signal, for introspection.
  public struct SignalDescription: Sendable, Hashable {
    public var name: MemberName
    public var arguments: [Argument]

    public init(_ name: MemberName, _ arguments: [Argument]) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// A property that can be read through `org.freedesktop.DBus.Properties`.
  public struct Property: Sendable {
    public var name: MemberName
    public var type: Signature
    /// Called on the connection's thread; it must not block.
    public var read: @Sendable () -> Value

    public init(_ name: MemberName, _ type: Signature, read: @escaping @Sendable () -> Value) {
      self.name = name
      self.type = type
      self.read = read
    }
  }

  public var name: InterfaceName
  public var methods: [Method]
  public var signals: [SignalDescription]
  public var properties: [Property]

  public init(
    _ name: InterfaceName, methods: [Method] = [], signals: [SignalDescription] = [], properties: [Property] = []
  ) {
    self.name = name
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }
}

public import DBus

/// What the present daemon says of itself.
public struct ServerProfile: Sendable, Hashable {
  /// The unique name of the process that owns `org.freedesktop.Notifications`.
  public var owner: BusName
  public var information: ServerInformation
  public var capabilities: Capabilities
  /// False: the daemon did not answer `GetCapabilities` as it should, and ``Capabilities/minimal`` is assumed.
  public var capabilitiesKnown: Bool

  public init(
    owner: BusName, information: ServerInformation, capabilities: Capabilities, capabilitiesKnown: Bool = true
  ) {
    self.owner = owner
    self.information = information
    self.capabilities = capabilities
    self.capabilitiesKnown = capabilitiesKnown
  }

  /// The daemon's known peculiarities.
  public var quirks: ServerQuirks { ServerQuirks(information: information) }
}

/// The seam between the engine and whatever shows notifications.
public protocol NotificationServer: Sendable {
  /// Everything that happens, in order, unbounded: no event that a user caused is dropped. For one consumer.
  var events: AsyncStream<ServerEvent> { get }
  /// What the present daemon says of itself; asked once per owner. Starts a daemon that the bus can start.
  /// - Throws: when there is no daemon and none can be started within the time limit.
  func profile() async throws(BusError) -> ServerProfile
  /// Sends `notification`; the answer comes as ``ServerEvent/accepted(_:serverID:)`` or
  /// ``ServerEvent/refused(_:_:)`` in its place among the events. Calls keep their order.
  func notify(_ notification: Notification, token: DeliveryToken)
  /// Asks for a notification to be closed; an answer does not matter, since many daemons give a wrong one.
  func close(serverID: UInt32)
}

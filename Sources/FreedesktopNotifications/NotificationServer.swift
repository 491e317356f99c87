public import DBus

/// What the present daemon says of itself.
public struct ServerProfile: Sendable, Hashable {
  /// The unique name of the process that owns `org.freedesktop.Notifications`.
  public var owner: BusName
  public var information: ServerInformation
  public var capabilities: Capabilities
  /// False: the daemon did not answer `GetCapabilities` as it should, and ``Capabilities/minimal`` is assumed.
  public var capabilitiesKnown: Bool
  /// The identifier of the bus, which no other bus and no other run of it has; nil: not asked for.
  public var busID: String?

  public init(
    owner: BusName, information: ServerInformation, capabilities: Capabilities, capabilitiesKnown: Bool = true,
    busID: String? = nil
  ) {
    self.owner = owner
    self.information = information
    self.capabilities = capabilities
    self.capabilitiesKnown = capabilitiesKnown
    self.busID = busID
  }

  /// The daemon's known peculiarities.
  public var quirks: ServerQuirks { ServerQuirks(information: information) }
}

/// The seam between the engine and whatever shows notifications.
public protocol NotificationServer: Sendable {
  /// Lets everything that happens come to `handler`, in order: no event that a user caused is dropped. Called once,
  /// before anything else. The handler is called on the connection's thread, one event after the other; it must not
  /// block, and must not call the server.
  func start(_ handler: @escaping @Sendable (ServerEvent) -> Void)
  /// What the present daemon says of itself; asked once per owner. Starts a daemon that the bus can start.
  /// - Throws: when there is no daemon and none can be started within the time limit.
  nonisolated(nonsending) func profile() async throws(BusError) -> ServerProfile
  /// Sends `notification`; the answer comes as ``ServerEvent/accepted(_:serverID:)`` or
  /// ``ServerEvent/refused(_:_:)`` in its place among the events. Calls keep their order.
  func notify(_ notification: Notification, token: DeliveryToken)
  /// Asks for a notification to be closed; an answer does not matter, since many daemons give a wrong one.
  func close(serverID: UInt32)
}

public import DBus

/// Who keeps the notifications of a ``NotificationService``. Called on the connection's queue, one call after the
/// other, in the order in which peers called; it must not block.
public protocol NotificationServiceDelegate: AnyObject, Sendable {
  /// A peer posts or replaces a notification; answer now or later.
  func notify(_ notification: ReceivedNotification, answer: NotifyAnswer)
  /// A peer wants one closed.
  func close(serverID: UInt32, answer: CloseAnswer)
}

/// Answers one `Notify`, once.
public struct NotifyAnswer: Sendable {
  let call: IncomingCall

  /// The notification has this number.
  public func accept(_ serverID: UInt32) { call.reply([.uint32(serverID)]) }
  /// The notification is refused.
  public func refuse(_ name: ErrorName, _ text: String) { call.fail(name, text) }
  /// Answers with values of any kind, as a broken daemon might; for tests.
  public func reply(_ body: [Value]) { call.reply(body) }
}

/// Answers one `CloseNotification`, once.
public struct CloseAnswer: Sendable {
  let call: IncomingCall

  /// It is closed; send the signal before.
  public func done() { call.reply() }
  /// There is none with that number, or it may not be closed.
  public func refuse(_ name: ErrorName, _ text: String) { call.fail(name, text) }
}

/// The service side of `org.freedesktop.Notifications`: what a notification daemon is to the bus.
///
/// Source: Desktop Notifications Specification, "D-Bus Protocol"; `NotificationReplied` as Plasma has it.
public final class NotificationService: Sendable {
  /// The well-known name.
  public static let name: BusName = "org.freedesktop.Notifications"
  /// The one object.
  public static let path: ObjectPath = "/org/freedesktop/Notifications"
  /// The one interface.
  public static let interface: InterfaceName = "org.freedesktop.Notifications"

  private let connection: BusConnection
  private let export: Export

  /// Exports the interface; the name is asked for with ``acquireName(replacing:)``.
  /// - Parameter delegate: kept as long as the service lives.
  public init(
    on connection: BusConnection, information: ServerInformation, capabilities: @escaping @Sendable () -> Capabilities,
    delegate: any NotificationServiceDelegate
  ) {
    self.connection = connection
    export = connection.export(
      Self.table(information: information, capabilities: capabilities, delegate: delegate), at: Self.path)
  }

  /// Asks for the well-known name.
  /// - Parameter replacing: take it over from an owner that allows it.
  /// - Returns: whether it is ours now; nobody waits in a queue for it.
  public func acquireName(replacing: Bool) async throws(BusError) -> Bool {
    var options: NameOptions = [.allowReplacement, .doNotQueue]
    if replacing { options.insert(.replaceExisting) }
    let reply = try await connection.requestName(Self.name, options)
    return reply == .owner || reply == .alreadyOwner
  }

  /// Signals that a notification is gone; to everybody, or to one peer.
  public func closed(_ serverID: UInt32, _ reason: CloseReason, to peer: BusName? = nil) {
    emit("NotificationClosed", [.uint32(serverID), .uint32(reason.rawValue)], to: peer)
  }

  /// Signals that an action was taken.
  public func actionInvoked(_ serverID: UInt32, key: String, to peer: BusName? = nil) {
    emit("ActionInvoked", [.uint32(serverID), .string(key)], to: peer)
  }

  /// Signals a reply that the user typed.
  public func replied(_ serverID: UInt32, text: String, to peer: BusName? = nil) {
    emit("NotificationReplied", [.uint32(serverID), .string(text)], to: peer)
  }

  /// Signals the token that lets the application take the focus; before the action that it belongs to.
  public func activationToken(_ serverID: UInt32, token: String, to peer: BusName? = nil) {
    emit("ActivationToken", [.uint32(serverID), .string(token)], to: peer)
  }

  private func emit(_ member: MemberName, _ body: [Value], to peer: BusName?) {
    connection.emit(Signal(at: Self.path, Self.interface, member, body, to: peer))
  }

  private static func table(
    information: ServerInformation, capabilities: @escaping @Sendable () -> Capabilities,
    delegate: any NotificationServiceDelegate
  ) -> ExportedInterface {
    ExportedInterface(
      interface,
      methods: [
        .init("GetCapabilities", returns: [.init("capabilities", "as")]) { call in
          call.reply([.strings(capabilities().words)])
        },
        .init(
          "GetServerInformation",
          returns: [.init("name", "s"), .init("vendor", "s"), .init("version", "s"), .init("spec_version", "s")]
        ) { call in
          call.reply([
            .string(information.name), .string(information.vendor), .string(information.version),
            .string(information.specVersion),
          ])
        },
        .init(
          "Notify",
          takes: [
            .init("app_name", "s"), .init("replaces_id", "u"), .init("app_icon", "s"), .init("summary", "s"),
            .init("body", "s"), .init("actions", "as"), .init("hints", "a{sv}"), .init("expire_timeout", "i"),
          ], returns: [.init("id", "u")]
        ) { call in
          guard let notification = ReceivedNotification(call.message.body, sender: call.message.sender) else {
            call.fail(.invalidArguments, "the arguments of Notify are not \(Notification.signature)")
            return
          }
          delegate.notify(notification, answer: NotifyAnswer(call: call))
        },
        .init("CloseNotification", takes: [.init("id", "u")]) { call in
          guard let serverID = call.message.body.first?.asUInt32 else {
            call.fail(.invalidArguments, "the argument of CloseNotification is not a number")
            return
          }
          delegate.close(serverID: serverID, answer: CloseAnswer(call: call))
        },
      ],
      signals: [
        .init("NotificationClosed", [.init("id", "u"), .init("reason", "u")]),
        .init("ActionInvoked", [.init("id", "u"), .init("action_key", "s")]),
        .init("ActivationToken", [.init("id", "u"), .init("activation_token", "s")]),
        .init("NotificationReplied", [.init("id", "u"), .init("text", "s")]),
      ])
  }
}

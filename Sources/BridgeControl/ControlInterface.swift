public import DBus
public import NotificationBridge

/// The names of the bridge's bus interface. Source: `dbus/org.notifybridge.Bridge1.xml`, which documents it.
public enum ControlInterface {
  public static let busName: BusName = "org.notifybridge.Bridge1"
  public static let path: ObjectPath = "/org/notifybridge/Bridge1"
  public static let interface: InterfaceName = "org.notifybridge.Bridge1"
  /// Rises when something is added; what is there stays as it is.
  public static let version: UInt32 = 1

  /// What a registered application exports, for the bridge to call.
  public static let clientPath: ObjectPath = "/org/notifybridge/Client1"
  public static let clientInterface: InterfaceName = "org.notifybridge.Client1"

  /// The prefix of error names; behind it stands the code of a ``BridgeError``, its first letter large.
  static let errorPrefix = "org.notifybridge.Error."

  /// The size of a request's text and other values, in bytes, that the bridge keeps at most.
  static let requestLimit = 1 << 20

  /// A caller that looks sandboxed but cannot be named speaks under this identifier.
  public static let unknownSandbox = "sandboxed.UNKNOWN"

  /// The name of an error on the bus.
  static func errorName(_ code: BridgeError.Code) -> ErrorName {
    let word = code.description
    return (try? ErrorName(errorPrefix + word.prefix(1).uppercased() + word.dropFirst())) ?? .failed
  }
}

extension BridgeError {
  /// What the bridge answered, or why it did not. Anything else than the bridge's own errors has the code `noBus`.
  public init(bridge error: BusError) {
    let prefix = ControlInterface.errorPrefix
    if let name = error.name?.text, name.hasPrefix(prefix) {
      let word = name.dropFirst(prefix.count)
      if let code = Code(word: word.prefix(1).lowercased() + word.dropFirst()) {
        self.init(code, error.message, cause: error)
        return
      }
    }
    let isBusGone = error.code == .disconnected || error.code == .notConnected
    self.init(.noBus, isBusGone ? "the session bus is gone" : "the resident bridge does not answer", cause: error)
  }
}

extension BusError {
  /// The callee has left the bus, by a restart or a crash for example, and left the call unanswered.
  var isCalleeGone: Bool { code == .remote && name == .noReply }
}

extension BusConnection {
  /// Calls, and calls again when the callee has left the bus meanwhile: that starts it anew.
  nonisolated(nonsending) func callAgain(
    _ call: MethodCall, timeout: Duration, attempts: Int
  ) async throws(BusError) -> Message {
    for _ in 1..<max(attempts, 1) {
      do throws(BusError) {
        return try await self.call(call, timeout: timeout)
      } catch {
        if !error.isCalleeGone { throw error }
      }
    }
    return try await self.call(call, timeout: timeout)
  }
}

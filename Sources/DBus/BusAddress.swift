internal import Glibc

/// Where a bus listens. Nothing here ever starts a bus.
///
/// Source: D-Bus Specification, "Server Addresses" and "Well-known Message Bus Instances".
public struct BusAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address in the specification's syntax, `unix:path=/run/user/1000/bus` for example.
  public let text: String

  /// An explicit address.
  public init(_ text: String) { self.text = text }

  /// The user's session bus: `DBUS_SESSION_BUS_ADDRESS` if set and not empty, else the socket `bus` in
  /// `XDG_RUNTIME_DIR`, else that in `/run/user/UID`. A variable that is set always wins.
  /// - Throws: ``BusError`` with code `noAddress`; its message says what was looked for.
  public static func session(environment: [String: String], userID: UInt32? = nil) throws(BusError) -> BusAddress {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      if address.split(separator: ";").allSatisfy({ $0.hasPrefix("autolaunch:") }) {
        throw BusError(.noAddress, "DBUS_SESSION_BUS_ADDRESS asks to start a bus ('\(address)'), which is never done")
      }
      return BusAddress(address)
    }
    var folders = ["/run/user/\(userID ?? getuid())"]
    if let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty { folders.insert(folder, at: 0) }
    for folder in folders where unsafe access(folder + "/bus", F_OK) == 0 {
      return BusAddress("unix:path=" + escape(folder + "/bus"))
    }
    throw BusError(
      .noAddress,
      "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and there is no socket \(folders[0])/bus")
  }

  /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the socket that the specification names.
  public static func system(environment: [String: String]) -> BusAddress {
    if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return BusAddress(address) }
    return BusAddress("unix:path=/run/dbus/system_bus_socket")
  }

  /// The same place whichever bus listens there: without the `guid` of one run of it, which another run does not have.
  public var ofAnyRun: BusAddress {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      part.split(separator: ",", omittingEmptySubsequences: false).filter { !$0.hasPrefix("guid=") }.joined(
        separator: ",")
    }
    return BusAddress(parts.joined(separator: ";"))
  }

  public var description: String { text }

  /// Escapes a value as the specification wants: all but `[-0-9A-Za-z_/.\*]` as `%xx`.
  private static func escape(_ value: String) -> String {
    let digits = Array("0123456789abcdef")
    return value.utf8.map { byte in
      if byte.isASCIIDigit || byte.isNameLetter || "-/.\\*".utf8.contains(byte) {
        return String(UnicodeScalar(byte))
      }
      return "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
    }.joined()
  }
}

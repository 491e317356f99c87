/// Who a daemon says it is.
///
/// Source: Desktop Notifications Specification, "org.freedesktop.Notifications.GetServerInformation".
public struct ServerInformation: Sendable, Hashable {
  public var name: String
  public var vendor: String
  public var version: String
  public var specVersion: String

  public init(name: String, vendor: String, version: String, specVersion: String) {
    self.name = name
    self.vendor = vendor
    self.version = version
    self.specVersion = specVersion
  }

  /// For a daemon that does not say.
  public static let unknown = ServerInformation(name: "", vendor: "", version: "", specVersion: "1.2")

  /// Which spelling of the picture hint it reads; what cannot be understood counts as current.
  public var imageDataName: Hint.ImageDataName {
    let parts = specVersion.split(separator: ".").prefix(2).map { Int($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1], major == 1 else { return .current }
    return minor >= 2 ? .current : minor == 1 ? .version11 : .version10
  }
}

/// What an application may do, as the user or the policy answered.
public struct AuthorizationRecord: Sendable, Codable, Hashable {
  public enum Status: String, Sendable, Codable, Hashable { case notDetermined, denied, authorized, provisional }

  public var status = Status.notDetermined
  /// What was asked for; raw values as Apple's.
  public var options: Options = []

  /// Raw values as Apple's.
  public struct Options: OptionSet, Sendable, Codable, Hashable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = Options(rawValue: 1 << 0)
    public static let sound = Options(rawValue: 1 << 1)
    public static let alert = Options(rawValue: 1 << 2)
    public static let criticalAlert = Options(rawValue: 1 << 4)
    public static let providesAppNotificationSettings = Options(rawValue: 1 << 5)
    public static let provisional = Options(rawValue: 1 << 6)
  }

  public init() {}
}

/// A snapshot of what an application may do and what the desktop shows.
public struct SettingsRecord: Sendable, Codable, Hashable {
  /// Unknown counts as not supported.
  public enum Setting: String, Sendable, Codable, Hashable, CaseIterable { case notSupported, disabled, enabled }

  public var authorization = AuthorizationRecord()
  public var alert = Setting.notSupported
  public var sound = Setting.notSupported
  public var badge = Setting.notSupported
  public var notificationCenter = Setting.notSupported
  public var lockScreen = Setting.notSupported
  public var criticalAlert = Setting.notSupported
  public var timeSensitive = Setting.notSupported
  /// When what notifications say is shown.
  public var previews = Previews.always

  public enum Previews: String, Sendable, Codable, Hashable, CaseIterable { case always, whenAuthenticated, never }

  public init() {}
}

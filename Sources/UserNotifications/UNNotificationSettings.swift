/// Whether the application may notify. Raw values as Apple's.
///
/// Source: Apple, UNAuthorizationStatus.
public enum UNAuthorizationStatus: Int, Sendable {
  /// Not asked yet. Linux desktops let applications notify all the same.
  case notDetermined = 0
  /// It may not.
  case denied = 1
  /// It may.
  case authorized = 2
  /// It may, quietly.
  case provisional = 3
  /// For a limited time; never on Linux.
  case ephemeral = 4
}

/// The state of one feature. Raw values as Apple's.
///
/// Source: Apple, UNNotificationSetting.
public enum UNNotificationSetting: Int, Sendable {
  /// The desktop lacks it, or does not say.
  case notSupported = 0
  /// Off.
  case disabled = 1
  /// On.
  case enabled = 2
}

/// How notifications appear. Raw values as Apple's.
///
/// Source: Apple, UNAlertStyle.
public enum UNAlertStyle: Int, Sendable {
  /// They do not.
  case none = 0
  /// They go away by themselves.
  case banner = 1
  /// They stay until the user acts.
  case alert = 2
}

/// When the text of notifications is shown. Raw values as Apple's.
///
/// Source: Apple, UNShowPreviewsSetting.
public enum UNShowPreviewsSetting: Int, Sendable {
  /// Always.
  case always = 0
  /// While the session is unlocked.
  case whenAuthenticated = 1
  /// Never.
  case never = 2
}

/// What the desktop and the user's settings let the application do, at the time it was asked.
///
/// Made by the center alone. Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationSettings.
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  struct Fields: Sendable, Hashable {
    var authorizationStatus = UNAuthorizationStatus.notDetermined
    var notificationCenter = UNNotificationSetting.notSupported
    var lockScreen = UNNotificationSetting.notSupported
    var carPlay = UNNotificationSetting.notSupported
    var alert = UNNotificationSetting.notSupported
    var badge = UNNotificationSetting.notSupported
    var sound = UNNotificationSetting.notSupported
    var criticalAlert = UNNotificationSetting.notSupported
    var announcement = UNNotificationSetting.notSupported
    var timeSensitive = UNNotificationSetting.notSupported
    var scheduledDelivery = UNNotificationSetting.notSupported
    var directMessages = UNNotificationSetting.notSupported
    var alertStyle = UNAlertStyle.none
    var showPreviews = UNShowPreviewsSetting.always
    var providesAppNotificationSettings = false
  }

  private let fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// Whether the application may notify; `.notDetermined` until it asked.
  open var authorizationStatus: UNAuthorizationStatus { fields.authorizationStatus }
  /// Whether the desktop keeps a list of past notifications.
  open var notificationCenterSetting: UNNotificationSetting { fields.notificationCenter }
  /// Whether notifications appear on the lock screen; Linux desktops do not say.
  open var lockScreenSetting: UNNotificationSetting { fields.lockScreen }
  /// Always `.notSupported`.
  open var carPlaySetting: UNNotificationSetting { fields.carPlay }
  /// Whether notifications are shown.
  open var alertSetting: UNNotificationSetting { fields.alert }
  /// Whether the application's icon has a badge.
  open var badgeSetting: UNNotificationSetting { fields.badge }
  /// Whether sounds are played.
  open var soundSetting: UNNotificationSetting { fields.sound }
  /// Whether critical notifications break through do-not-disturb.
  open var criticalAlertSetting: UNNotificationSetting { fields.criticalAlert }
  /// Always `.notSupported`.
  open var announcementSetting: UNNotificationSetting { fields.announcement }
  /// Whether time-sensitive notifications break through do-not-disturb.
  open var timeSensitiveSetting: UNNotificationSetting { fields.timeSensitive }
  /// Always `.notSupported`.
  open var scheduledDeliverySetting: UNNotificationSetting { fields.scheduledDelivery }
  /// Always `.notSupported`.
  open var directMessagesSetting: UNNotificationSetting { fields.directMessages }
  /// Whether notifications go away by themselves.
  open var alertStyle: UNAlertStyle { fields.alertStyle }
  /// When their text is shown.
  open var showPreviewsSetting: UNShowPreviewsSetting { fields.showPreviews }
  /// Whether the application has notification settings of its own.
  open var providesAppNotificationSettings: Bool { fields.providesAppNotificationSettings }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSettings else { return false }
    return fields == other.fields
  }

  open override var hash: Int { fields.hashValue }

  open override var description: String {
    description(of: [
      "authorizationStatus": authorizationStatus, "notificationCenterSetting": notificationCenterSetting,
      "lockScreenSetting": lockScreenSetting, "alertSetting": alertSetting, "badgeSetting": badgeSetting,
      "soundSetting": soundSetting, "criticalAlertSetting": criticalAlertSetting,
      "timeSensitiveSetting": timeSensitiveSetting, "alertStyle": alertStyle,
      "showPreviewsSetting": showPreviewsSetting,
      "providesAppNotificationSettings": providesAppNotificationSettings,
    ])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(Int64(authorizationStatus.rawValue), forKey: "authorizationStatus")
    coder.encode(Int64(notificationCenterSetting.rawValue), forKey: "notificationCenterSetting")
    coder.encode(Int64(lockScreenSetting.rawValue), forKey: "lockScreenSetting")
    coder.encode(Int64(carPlaySetting.rawValue), forKey: "carPlaySetting")
    coder.encode(Int64(alertSetting.rawValue), forKey: "alertSetting")
    coder.encode(Int64(badgeSetting.rawValue), forKey: "badgeSetting")
    coder.encode(Int64(soundSetting.rawValue), forKey: "soundSetting")
    coder.encode(Int64(criticalAlertSetting.rawValue), forKey: "criticalAlertSetting")
    coder.encode(Int64(announcementSetting.rawValue), forKey: "announcementSetting")
    coder.encode(Int64(timeSensitiveSetting.rawValue), forKey: "timeSensitiveSetting")
    coder.encode(Int64(scheduledDeliverySetting.rawValue), forKey: "scheduledDeliverySetting")
    coder.encode(Int64(directMessagesSetting.rawValue), forKey: "directMessagesSetting")
    coder.encode(Int64(alertStyle.rawValue), forKey: "alertStyle")
    coder.encode(Int64(showPreviewsSetting.rawValue), forKey: "showPreviewsSetting")
    coder.encode(providesAppNotificationSettings, forKey: "providesAppNotificationSettings")
  }

  /// Reads an archive; what is missing or unknown has the raw value 0. Tests use coders of their own that override
  /// `decodeInt64(forKey:)` and `decodeBool(forKey:)`, so nothing else is called.
  public required init?(coder: NSCoder) {
    fields = (coder as? Seed<Fields>)?.fields ?? Fields(coder: coder)
    super.init()
  }
}

extension UNNotificationSettings.Fields {
  fileprivate init(coder: NSCoder) {
    func raw(_ key: String) -> Int { Int(clamping: coder.decodeInt64(forKey: key)) }
    func setting(_ key: String) -> UNNotificationSetting { UNNotificationSetting(rawValue: raw(key)) ?? .notSupported }
    self.init(
      authorizationStatus: UNAuthorizationStatus(rawValue: raw("authorizationStatus")) ?? .notDetermined,
      notificationCenter: setting("notificationCenterSetting"), lockScreen: setting("lockScreenSetting"),
      carPlay: setting("carPlaySetting"), alert: setting("alertSetting"), badge: setting("badgeSetting"),
      sound: setting("soundSetting"), criticalAlert: setting("criticalAlertSetting"),
      announcement: setting("announcementSetting"), timeSensitive: setting("timeSensitiveSetting"),
      scheduledDelivery: setting("scheduledDeliverySetting"), directMessages: setting("directMessagesSetting"),
      alertStyle: UNAlertStyle(rawValue: raw("alertStyle")) ?? .none,
      showPreviews: UNShowPreviewsSetting(rawValue: raw("showPreviewsSetting")) ?? .always,
      providesAppNotificationSettings: coder.decodeBool(forKey: "providesAppNotificationSettings"))
  }
}

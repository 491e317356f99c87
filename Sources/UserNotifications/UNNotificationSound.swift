import NotificationBridge

/// What is played with a notification.
///
/// A sound that cannot be found is replaced by the desktop's own. Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationSound.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  final let record: SoundRecord

  convenience init(_ record: SoundRecord) { self.init(coder: Seed(record))! }

  /// The desktop's own sound for notifications.
  open class var `default`: UNNotificationSound { UNNotificationSound(SoundRecord()) }

  /// A file of the application, by name: in the folder `Library/Sounds` of its data or among its resources.
  public convenience init(named name: UNNotificationSoundName) { self.init(SoundRecord(.named(name.rawValue))) }

  /// The desktop's own sound, played whatever do-not-disturb says.
  open class var defaultCritical: UNNotificationSound { UNNotificationSound(SoundRecord(isCritical: true)) }

  /// The desktop's own sound, played whatever do-not-disturb says.
  /// - Parameter volume: 0…1; what is outside counts as the nearer end.
  open class func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
    make(SoundRecord(isCritical: true, volume: clamped(volume)))
  }

  /// A file of the application, played whatever do-not-disturb says.
  open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
    make(SoundRecord(.named(name.rawValue), isCritical: true))
  }

  /// A file of the application, played whatever do-not-disturb says.
  /// - Parameters:
  ///   - name: the file's.
  ///   - volume: 0…1; what is outside counts as the nearer end.
  open class func criticalSoundNamed(_ name: UNNotificationSoundName, withAudioVolume volume: Float) -> Self {
    make(SoundRecord(.named(name.rawValue), isCritical: true, volume: clamped(volume)))
  }

  /// The sound theme's sound of an incoming call.
  open class var defaultRingtone: UNNotificationSound {
    UNNotificationSound(SoundRecord(.theme("phone-incoming-call")))
  }

  /// A file of the application that stands for a call.
  open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> Self {
    make(SoundRecord(.named(name.rawValue)))
  }

  private static func clamped(_ volume: Float) -> Double { volume.isNaN ? 1 : Double(min(1, max(0, volume))) }

  private class func make(_ record: SoundRecord) -> Self { Self(coder: Seed(record))! }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSound else { return false }
    return record == other.record
  }

  open override var hash: Int { record.hashValue }

  open override var description: String {
    description(of: ["source": record.source, "critical": record.isCritical, "volume": record.volume])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    let (kind, name): (String, String?) =
      switch record.source {
      case .standard: ("default", nil)
      case .named(let name): ("named", name)
      case .file(let path): ("file", path)
      case .theme(let name): ("theme", name)
      }
    coder.encode(kind, forKey: "kind")
    coder.encode(name, forKey: "name")
    coder.encode(NSNumber(value: record.isCritical), forKey: "critical")
    coder.encode(record.volume.map(NSNumber.init(value:)), forKey: "volume")
  }

  /// Reads an archive; what is missing makes it the desktop's own sound.
  public required init?(coder: NSCoder) {
    if let seed = coder as? Seed<SoundRecord> {
      record = seed.fields
    } else {
      let source: SoundRecord.Source =
        switch (coder.text("kind"), coder.text("name")) {
        case ("named", let name?): .named(name)
        case ("file", let path?): .file(path)
        case ("theme", let name?): .theme(name)
        default: .standard
        }
      record = SoundRecord(
        source, isCritical: coder.number("critical")?.boolValue ?? false,
        volume: coder.number("volume")?.doubleValue)
    }
    super.init()
  }
}

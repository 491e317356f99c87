/// The icon of an action, shown where the desktop draws icons on buttons.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationActionIcon.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// The name, of the system's set or of an image of the application.
  let name: String
  let isSystemImage: Bool

  init(name: String, isSystemImage: Bool) {
    self.name = name
    self.isSystemImage = isSystemImage
    super.init()
  }

  /// An icon of the system's set: on Linux a name of the freedesktop icon theme.
  public convenience init(systemImageName: String) { self.init(name: systemImageName, isSystemImage: true) }

  /// An image of the application, by name.
  public convenience init(templateImageName: String) { self.init(name: templateImageName, isSystemImage: false) }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return name == other.name && isSystemImage == other.isSystemImage
  }

  open override var hash: Int { name.hashValue }

  open override var description: String {
    description(of: [isSystemImage ? "systemImageName" : "templateImageName": name])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(NSNumber(value: isSystemImage), forKey: "isSystemImage")
  }

  /// Reads an archive; nil without a name.
  public required init?(coder: NSCoder) {
    guard let name = coder.text("name") else { return nil }
    self.name = name
    isSystemImage = coder.number("isSystemImage")?.boolValue ?? true
    super.init()
  }
}

/// The icon of an action, shown where the desktop's notification daemon draws icons on buttons, if all actions of the
/// notification have one that icon themes know; else all have their titles.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationActionIcon.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  struct Fields: Sendable, Hashable {
    /// Of the system's set or of an image of the application.
    var name: String
    var isSystemImage: Bool
  }

  final let fields: Fields

  /// An icon of the system's set: of Apple's symbols those that icon themes have a counterpart of, and on Linux any name
  /// of the freedesktop Icon Naming Specification.
  public convenience init(systemImageName: String) {
    self.init(coder: Seed(Fields(name: systemImageName, isSystemImage: true)))!
  }

  /// An image of the application, by name. Daemons draw icons of the theme alone: on Linux it counts if the theme has an
  /// icon of that name.
  public convenience init(templateImageName: String) {
    self.init(coder: Seed(Fields(name: templateImageName, isSystemImage: false)))!
  }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return fields == other.fields
  }

  open override var hash: Int { fields.hashValue }

  open override var description: String {
    description(of: [fields.isSystemImage ? "systemImageName" : "templateImageName": fields.name])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(fields.name, forKey: "name")
    coder.encode(NSNumber(value: fields.isSystemImage), forKey: "isSystemImage")
  }

  /// Reads an archive; nil without a name.
  public required init?(coder: NSCoder) {
    if let seed = coder as? Seed<Fields> {
      fields = seed.fields
    } else {
      guard let name = coder.text("name") else { return nil }
      fields = Fields(name: name, isSystemImage: coder.number("isSystemImage")?.boolValue ?? true)
    }
    super.init()
  }
}

/// The icon of an action, shown where the desktop draws icons on buttons.
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

  /// An icon of the system's set: on Linux a name of the freedesktop icon theme.
  public convenience init(systemImageName: String) {
    self.init(coder: Seed(Fields(name: systemImageName, isSystemImage: true)))!
  }

  /// An image of the application, by name.
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

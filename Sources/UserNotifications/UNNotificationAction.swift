/// A button of a category.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationAction.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// The state, of subclasses too.
  struct Fields: Sendable, Hashable {
    var identifier: String
    var title: String
    var options: UNNotificationActionOptions.RawValue
    var icon: UNNotificationActionIcon?
    var textInputButtonTitle = ""
    var textInputPlaceholder = ""
  }

  final let fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// - Parameters:
  ///   - identifier: comes back in the response; unique among all actions of the application.
  ///   - title: the button's text.
  ///   - options: how it behaves.
  public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.init(Fields(identifier: identifier, title: title, options: options.rawValue))
  }

  /// - Parameters:
  ///   - identifier: comes back in the response; unique among all actions of the application.
  ///   - title: the button's text.
  ///   - options: how it behaves.
  ///   - icon: shown where the desktop draws icons on buttons.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
  ) {
    self.init(Fields(identifier: identifier, title: title, options: options.rawValue, icon: icon))
  }

  /// What comes back in the response.
  open var identifier: String { fields.identifier }
  /// The button's text.
  open var title: String { fields.title }
  /// How it behaves.
  open var options: UNNotificationActionOptions { UNNotificationActionOptions(rawValue: fields.options) }
  /// Shown where the desktop draws icons on buttons; nil by default.
  open var icon: UNNotificationActionIcon? { fields.icon }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction else { return false }
    return self is UNTextInputNotificationAction == other is UNTextInputNotificationAction && fields == other.fields
  }

  open override var hash: Int { fields.identifier.hashValue }

  open override var description: String {
    description(of: ["identifier": identifier, "title": title, "options": options.rawValue, "icon": icon])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(title, forKey: "title")
    coder.encode(NSNumber(value: options.rawValue), forKey: "options")
    coder.encode(icon, forKey: "icon")
  }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        identifier: coder.text("identifier") ?? "", title: coder.text("title") ?? "",
        options: coder.number("options")?.uintValue ?? 0, icon: coder.object("icon", UNNotificationActionIcon.self),
        textInputButtonTitle: coder.text("textInputButtonTitle") ?? "",
        textInputPlaceholder: coder.text("textInputPlaceholder") ?? "")
    super.init()
  }
}

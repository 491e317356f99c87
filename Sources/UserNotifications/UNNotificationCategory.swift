/// A kind of notification and the buttons it has.
///
/// Two categories are equal when all their properties are. Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationCategory.
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  struct Fields: Sendable, Hashable {
    var identifier: String
    var actions: [UNNotificationAction]
    var intentIdentifiers: [String]
    var hiddenPreviewsBodyPlaceholder = ""
    var categorySummaryFormat = ""
    var options: UNNotificationCategoryOptions.RawValue
  }

  final let fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// - Parameters:
  ///   - identifier: what contents name.
  ///   - actions: the buttons in order; at most ten are shown.
  ///   - intentIdentifiers: kept; Linux has no intents.
  ///   - options: how its notifications behave.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      Fields(
        identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers, options: options.rawValue))
  }

  /// - Parameters:
  ///   - identifier: what contents name.
  ///   - actions: the buttons in order; at most ten are shown.
  ///   - intentIdentifiers: kept; Linux has no intents.
  ///   - hiddenPreviewsBodyPlaceholder: shown in place of the body where previews are hidden; `%u` is the number of
  ///     notifications.
  ///   - options: how its notifications behave.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      Fields(
        identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
        hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, options: options.rawValue))
  }

  /// - Parameters:
  ///   - identifier: what contents name.
  ///   - actions: the buttons in order; at most ten are shown.
  ///   - intentIdentifiers: kept; Linux has no intents.
  ///   - hiddenPreviewsBodyPlaceholder: shown in place of the body where previews are hidden; `%u` is the number of
  ///     notifications.
  ///   - categorySummaryFormat: the text of a summary, `%u` its count and `%@` its summary arguments.
  ///   - options: how its notifications behave.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      Fields(
        identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
        hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder ?? "",
        categorySummaryFormat: categorySummaryFormat ?? "", options: options.rawValue))
  }

  /// What contents name, upper and lower case distinct.
  open var identifier: String { fields.identifier }
  /// The buttons in order.
  open var actions: [UNNotificationAction] { fields.actions }
  /// Kept; Linux has no intents.
  open var intentIdentifiers: [String] { fields.intentIdentifiers }
  /// How its notifications behave.
  open var options: UNNotificationCategoryOptions { UNNotificationCategoryOptions(rawValue: fields.options) }
  /// Shown in place of the body where previews are hidden; empty by default.
  open var hiddenPreviewsBodyPlaceholder: String { fields.hiddenPreviewsBodyPlaceholder }
  /// The text of a summary; empty by default.
  open var categorySummaryFormat: String { fields.categorySummaryFormat }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return self === other || fields == other.fields
  }

  open override var hash: Int { fields.identifier.hashValue }

  open override var description: String {
    description(of: [
      "identifier": identifier, "actions": actions, "intentIdentifiers": intentIdentifiers,
      "hiddenPreviewsBodyPlaceholder": hiddenPreviewsBodyPlaceholder,
      "categorySummaryFormat": categorySummaryFormat, "options": options.rawValue,
    ])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(actions, forKey: "actions")
    coder.encode(intentIdentifiers, forKey: "intentIdentifiers")
    coder.encode(hiddenPreviewsBodyPlaceholder, forKey: "hiddenPreviewsBodyPlaceholder")
    coder.encode(categorySummaryFormat, forKey: "categorySummaryFormat")
    coder.encode(NSNumber(value: options.rawValue), forKey: "options")
  }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        identifier: coder.text("identifier") ?? "", actions: coder.objects("actions", UNNotificationAction.self) ?? [],
        intentIdentifiers: coder.texts("intentIdentifiers") ?? [],
        hiddenPreviewsBodyPlaceholder: coder.text("hiddenPreviewsBodyPlaceholder") ?? "",
        categorySummaryFormat: coder.text("categorySummaryFormat") ?? "",
        options: coder.number("options")?.uintValue ?? 0)
    super.init()
  }
}

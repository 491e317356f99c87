/// A notification that was or is about to be shown.
///
/// Made by the center alone. Immutable; usable from any thread.
///
/// Source: Apple, UNNotification.
open class UNNotification: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  struct Fields {
    var date: Date
    var request: UNNotificationRequest
  }

  private let fields: Fields

  convenience init(date: Date, request: UNNotificationRequest) {
    self.init(coder: Seed(Fields(date: date, request: request)))!
  }

  /// When it was delivered.
  open var date: Date { fields.date }
  /// What was asked for.
  open var request: UNNotificationRequest { fields.request }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotification else { return false }
    return self === other || date == other.date && request == other.request
  }

  open override var hash: Int { request.hash }

  open override var description: String { description(of: ["date": date, "request": request]) }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(date, forKey: "date")
    coder.encode(request, forKey: "request")
  }

  /// Reads an archive; without a date it was delivered long ago, without a request it is empty.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        date: coder.date("date") ?? .distantPast,
        request: coder.object("request", UNNotificationRequest.self)
          ?? UNNotificationRequest("", UNNotificationContent(), nil))
    super.init()
  }
}

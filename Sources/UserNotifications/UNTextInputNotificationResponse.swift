/// The response to a ``UNTextInputNotificationAction``: what the user typed.
///
/// Made only when the desktop handed over a text; it is never invented. Immutable; usable from any thread.
///
/// Source: Apple, UNTextInputNotificationResponse.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
  /// What the user typed.
  open var userText: String { fields.userText }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNTextInputNotificationResponse else { return false }
    return super.isEqual(other) && userText == other.userText
  }

  open override var hash: Int { super.hash ^ userText.hashValue }

  open override var description: String {
    description(of: ["actionIdentifier": actionIdentifier, "userText": userText, "notification": notification])
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(userText, forKey: "userText")
  }
}

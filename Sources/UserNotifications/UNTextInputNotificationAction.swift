/// A button that opens a text field; the answer is a ``UNTextInputNotificationResponse``.
///
/// On a desktop without text fields in notifications it is an ordinary button, and the response an ordinary one.
/// Immutable; usable from any thread.
///
/// Source: Apple, UNTextInputNotificationAction.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
  /// - Parameters:
  ///   - identifier: comes back in the response; unique among all actions of the application.
  ///   - title: the button's text.
  ///   - options: how it behaves.
  ///   - textInputButtonTitle: the text of the button beside the text field.
  ///   - textInputPlaceholder: shown in the empty text field.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
    textInputPlaceholder: String
  ) {
    self.init(
      Fields(
        identifier: identifier, title: title, options: options.rawValue, textInputButtonTitle: textInputButtonTitle,
        textInputPlaceholder: textInputPlaceholder))
  }

  /// - Parameters:
  ///   - identifier: comes back in the response; unique among all actions of the application.
  ///   - title: the button's text.
  ///   - options: how it behaves.
  ///   - icon: shown where the desktop draws icons on buttons.
  ///   - textInputButtonTitle: the text of the button beside the text field.
  ///   - textInputPlaceholder: shown in the empty text field.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?,
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(
      Fields(
        identifier: identifier, title: title, options: options.rawValue, icon: icon,
        textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder))
  }

  /// The text of the button beside the text field.
  open var textInputButtonTitle: String { fields.textInputButtonTitle }
  /// Shown in the empty text field.
  open var textInputPlaceholder: String { fields.textInputPlaceholder }

  open override var description: String {
    description(of: [
      "identifier": identifier, "title": title, "options": options.rawValue, "icon": icon,
      "textInputButtonTitle": textInputButtonTitle, "textInputPlaceholder": textInputPlaceholder,
    ])
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(textInputButtonTitle, forKey: "textInputButtonTitle")
    coder.encode(textInputPlaceholder, forKey: "textInputPlaceholder")
  }
}

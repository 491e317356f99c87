import NotificationBridge

// Texts from the application's own string tables.
//
// On Apple's systems the result is an object that is looked up when the notification is shown. A Swift string on Linux
// cannot do that, so it is looked up here; a session's language does not change while a program runs.

extension NSString {
  /// The text for `key` in the application's `Localizable.strings`, or `key` itself if there is none.
  ///
  /// `%@` and `%1$@`, `%2$@` … stand for the arguments, in order or by number; a missing argument is empty. `%%` is
  /// `%`, and every other `%` stays as it is. Usable from any thread.
  ///
  /// Source: Apple, localizedUserNotificationString(forKey:arguments:).
  public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    FormatFiller.fill(
      Bundle.main.localizedString(forKey: key, value: key, table: nil), (arguments ?? []).map { "\($0)" })
  }
}

extension String {
  /// The text for `key` in the application's `Localizable.strings`, or `key` itself if there is none; see `NSString`'s
  /// method of the same name.
  public static func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
  }
}

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
    LocalizedText.filled(Bundle.main.localizedString(forKey: key, value: key, table: nil), with: arguments ?? [])
  }
}

extension String {
  /// The text for `key` in the application's `Localizable.strings`, or `key` itself if there is none; see `NSString`'s
  /// method of the same name.
  public static func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
  }
}

/// Fills arguments into a format, without ever reading what is not there.
enum LocalizedText {
  static func filled(_ format: String, with arguments: [Any]) -> String {
    var result = ""
    var rest = Substring(format)
    var position = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if rest.hasPrefix("%") {
        result += "%"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("@") {
        result += text(of: position, in: arguments)
        position += 1
        rest = rest.dropFirst()
      } else if let number = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
        result += text(of: number - 1, in: arguments)
        rest = rest.dropFirst(digits.count + 2)
      } else {
        result += "%"
      }
    }
    return result + rest
  }

  private static func text(of index: Int, in arguments: [Any]) -> String {
    arguments.indices.contains(index) ? "\(arguments[index])" : ""
  }
}

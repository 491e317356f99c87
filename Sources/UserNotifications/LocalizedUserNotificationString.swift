import DesktopServices
import NotificationBridge

// Texts from the application's own string tables.
//
// On Apple's systems the result is an object that is looked up when the notification is shown. A Swift string on Linux
// cannot do that, so it is looked up here; a session's language does not change while a program runs.

extension NSString {
  /// The text for `key` in the application's `Localizable.strings` or `Localizable.stringsdict`, or `key` itself if
  /// there is none.
  ///
  /// Looked for in the main bundle, in the resource bundles that SwiftPM puts beside the program, and where the resident
  /// bridge looks when a remote notification names a key; the language is that of the session. `%@` and `%1$@`, `%2$@` …
  /// stand for the arguments, in order or by number; a missing argument is empty. `%%` is `%`, and every other `%` stays
  /// as it is. In a `.stringsdict` numbers among the arguments choose the form. Usable from any thread.
  ///
  /// Source: Apple, localizedUserNotificationString(forKey:arguments:).
  public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    let values = (arguments ?? []).map(LocalizedText.value)
    return LocalizedText.tables().find(key, values)
      ?? FormatFiller.fill(
        Bundle.main.localizedString(forKey: key, value: key, table: nil), values.map(\.localizedArgument))
  }
}

extension String {
  /// The text for `key` in the application's `Localizable.strings`, or `key` itself if there is none; see `NSString`'s
  /// method of the same name.
  public static func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
  }
}

/// The program's own tables, and those of its application.
enum LocalizedText {
  static func tables(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> StringTables {
    ApplicationStrings.tables(
      of: ApplicationIdentity.current.record().identifier, environment: environment, first: folders)
  }

  private static let folders: [String] = {
    let resources = Bundle.main.resourcePath ?? Bundle.main.bundlePath
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().path ?? resources
    let bundles = ((try? FileManager.default.contentsOfDirectory(atPath: beside)) ?? []).filter {
      $0.hasSuffix(".resources")
    }
    return [resources] + bundles.sorted().map { "\(beside)/\($0)" }
  }()

  /// An argument as text or as the number that it is.
  static func value(_ argument: Any) -> PropertyValue {
    switch argument {
    case let number as NSNumber:
      Int64(exactly: number.doubleValue) == nil ? .double(number.doubleValue) : .integer(number.int64Value)
    case let text as String: .string(text)
    default: .string("\(argument)")
    }
  }
}

extension StringTables {
  fileprivate func find(_ key: String, _ arguments: [PropertyValue]) -> String? {
    var notes: [String] = []
    let text = text(key, arguments, notes: &notes)
    for note in notes { StandardErrorLog().write(.warning, note) }
    return text
  }
}

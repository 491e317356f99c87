import Foundation
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

@Suite struct LocalizedTextTests {
  @Test(arguments: [
    ("%@ and %@", ["A", "B"], "A and B"), ("%2$@ from %1$@", ["A", "B"], "B from A"),
    ("%2$@ from %1$@", ["A"], " from A"), ("%@%@", [], ""), ("100%%", [], "100%"), ("%s%n %d", ["A"], "%s%n %d"),
    ("%0$@ %99999999999999999999$@", ["A"], " %99999999999999999999$@"), ("%", [], "%"), ("%1$", ["A"], "%1$"),
    ("plain", ["A"], "plain"),
  ])
  func argumentsAreFilledInAndNothingElse(_ format: String, _ arguments: [String], _ expected: String) {
    #expect(FormatFiller.fill(format, arguments) == expected)
  }

  @Test func anUnknownKeyIsItsOwnText() {
    let text = NSString.localizedUserNotificationString(forKey: "KEY %@", arguments: [3])
    #expect(text == "KEY 3")
    #expect(String.localizedUserNotificationString(forKey: "KEY", arguments: nil) == "KEY")
  }

  @Test("a program's texts come from where the bridge looks for an application's, numbers choosing the form")
  func tables() throws {
    let home = try TemporaryHome()
    let application = ApplicationIdentity.current.record().identifier
    let folder = "data/notify-bridge/applications/\(application)"
    try home.write("K = \"Von %@\";", to: "\(folder)/de.lproj/Localizable.strings")
    try home.write(
      "{ N = { NSStringLocalizedFormatKey = \"%#@n@\"; n = { NSStringFormatValueTypeKey = d; one = \"%d Tag\"; "
        + "other = \"%d Tage\"; }; }; }", to: "\(folder)/de.lproj/Localizable.stringsdict")
    var environment = home.environment
    environment["LANG"] = "de_AT.UTF-8"
    let tables = LocalizedText.tables(environment)
    var notes: [String] = []
    for (key, argument, text) in [("K", "Ana", "Von Ana"), ("N", 1, "1 Tag"), ("N", 2.0, "2 Tage")]
      as [(String, Any, String)]
    {
      #expect(tables.text(key, [LocalizedText.value(argument)], notes: &notes) == text)
    }
    #expect(tables.text("NOBODY", [], notes: &notes) == nil && notes.isEmpty)
  }
}

import Foundation
import NotificationBridge
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
}

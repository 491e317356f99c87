/// Our own words in notifications, in one place for translation.
enum Words {
  /// The label of the click on the notification, which some daemons draw as a button.
  static let open = "Open"
  static let allow = "Allow"
  static let deny = "Don’t allow"
  static let notification = "Notification"
  static let showAll = "Show all"

  /// "5 more from Ana and Ben", or "5 more".
  static func more(_ count: Int, from names: String) -> String {
    names.isEmpty ? "\(count) more" : "\(count) more from \(names)"
  }

  /// "Ana, Ben and Carla".
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  static func wantsToNotify(_ application: String) -> String { "\(application) wants to show notifications" }
}

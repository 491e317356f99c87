/// Our own words in notifications, in one place for translation.
enum Words {
  /// The label of the click on the notification, which some daemons draw as a button.
  static let open = "Open"
}

package import NotificationBridge

// For UserNotificationsUI, which has the same objects and none of their insides.

extension UNNotification {
  /// A notification as it was delivered.
  package static func make(_ record: NotificationRecord) -> UNNotification { UNNotification(record) }
}

extension UNNotificationContent {
  /// What a content extension has shown.
  /// - Throws: ``BridgeError`` that names what of `userInfo` cannot be stored.
  package func shownRecord() throws(BridgeError) -> ContentRecord { try ContentRecord(fields) }
}

extension UNMutableNotificationContent {
  /// - Parameter content: nil: empty.
  package convenience init(copying content: UNNotificationContent?) {
    self.init()
    guard let content else { return }
    title = content.title
    subtitle = content.subtitle
    body = content.body
    attachments = content.attachments
  }
}

extension UNNotificationAction {
  /// How it is kept.
  package var record: ActionRecord { ActionRecord(self) }
}

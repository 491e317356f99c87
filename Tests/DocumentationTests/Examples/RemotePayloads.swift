import UserNotifications

/// What stands in "Remote payloads".
enum RemotePayloads {
  static func listen() {
    NotifyBridge.remoteNotificationHandler = { payload in
      print("fetch", payload["sync"] ?? "everything")
    }
  }
}

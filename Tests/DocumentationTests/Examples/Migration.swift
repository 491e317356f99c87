import UserNotifications
#if canImport(UIKit)
  import UIKit
#endif

/// What stands in "Migration in ten minutes".
enum Migration {
  static func register() {
    #if os(Linux)
      NotifyBridge.remoteNotificationHandler = { payload in received(payload) }
    #else
      UIApplication.shared.registerForRemoteNotifications()
    #endif
  }

  static func received(_ payload: [AnyHashable: Any]) { print(payload.count) }

  static func name() {
    #if os(Linux)
      NotifyBridge.applicationIdentifier = "org.example.Chat"
    #endif
  }
}

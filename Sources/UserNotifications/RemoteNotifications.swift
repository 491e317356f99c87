import Dispatch
import NotificationBridge
import Synchronization

extension NotifyBridge {
  /// Takes remote notifications that tell the program something in the background (`content-available: 1`), shown or
  /// not. Nil: this process takes none.
  ///
  /// It gets the whole payload, as `UIApplicationDelegate`'s `application(_:didReceiveRemoteNotification:)` does on
  /// Apple's systems, and runs on the main queue. Set it from any thread; that connects the program with the resident
  /// bridge, which pushes come through: without the bridge none arrive. The program must be running; a push for one that
  /// is not is reported to its sender as taken by nobody.
  public static var remoteNotificationHandler: (@MainActor @Sendable (_ userInfo: [AnyHashable: Any]) -> Void)? {
    get { RemoteNotifications.handler.withLock { $0 } }
    set {
      RemoteNotifications.handler.withLock { $0 = newValue }
      if newValue != nil { UNUserNotificationCenter.current().core.connect() }
    }
  }
}

/// Background pushes on their way to the program.
enum RemoteNotifications {
  typealias Handler = @MainActor @Sendable (_ userInfo: [AnyHashable: Any]) -> Void

  static let handler = Mutex<Handler?>(nil)

  /// Hands a payload to the program, later.
  /// - Returns: false: it takes none.
  static func take(_ payload: [String: PropertyValue]) -> Bool {
    guard let handler = handler.withLock({ $0 }) else { return false }
    DispatchQueue.main.async {
      MainActor.assumeIsolated { handler(UserInfo.objects(payload)) }
    }
    return true
  }
}

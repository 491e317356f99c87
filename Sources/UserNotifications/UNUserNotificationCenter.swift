import Dispatch
import Glibc

/// The one way to the desktop's notifications.
///
/// Usable from any thread. Calls take effect in the order in which they are made. Completion handlers run on a
/// background queue.
///
/// Source: Apple, UNUserNotificationCenter.
open class UNUserNotificationCenter: NSObject,
  // Unchecked: its one property is Sendable and never changes.
  @unchecked Sendable
{
  final let core: CenterCore

  private static let shared: UNUserNotificationCenter = {
    let center = UNUserNotificationCenter(core: CenterCore(backend: SessionBackend.session))
    // Files of notifications go with the process.
    atexit { UNUserNotificationCenter.shared.core.removeFiles() }
    return center
  }()

  init(core: CenterCore) {
    self.core = core
    super.init()
    core.attach(to: self)
  }

  /// The application's center.
  ///
  /// Cheap, and never fails: nothing is connected before something is to be done. A program without a bundle is known
  /// by the desktop entry that started it, else by its name; see ``NotifyBridge/applicationIdentifier``.
  open class func current() -> UNUserNotificationCenter { shared }

  /// Hears of notifications, on the main queue; held weakly. Responses wait until there is one.
  open var delegate: (any UNUserNotificationCenterDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// False: desktops show no interface of the application's own in notifications.
  open var supportsContentExtensions: Bool { false }

  // MARK: Permission and settings

  /// Asks for permission. Linux desktops have no such question: the answer is the policy's, which allows.
  /// - Parameters:
  ///   - options: what for.
  ///   - completionHandler: gets whether it may notify, and, if it may not, ``UNError/notificationsNotAllowed``.
  @preconcurrency
  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    core.authorize(options) { answer in
      Self.callBack {
        switch answer {
        case .success(let isGranted): completionHandler(isGranted, nil)
        case .failure(let error): completionHandler(false, error)
        }
      }
    }
  }

  /// Asks for permission. Linux desktops have no such question: the answer is the policy's, which allows.
  /// - Returns: whether it may notify.
  /// - Throws: ``UNError/notificationsNotAllowed`` if it may not.
  open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      core.authorize(options) { continuation.resume(with: $0) }
    }
  }

  /// Tells what the application may do and what the desktop shows.
  @preconcurrency
  open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    core.settings { settings in Self.callBack { completionHandler(settings) } }
  }

  /// What the application may do and what the desktop shows.
  open func notificationSettings() async -> UNNotificationSettings {
    await withCheckedContinuation { continuation in core.settings { continuation.resume(returning: $0) } }
  }

  /// Sets the number on the application's icon; 0 hides it.
  /// - Parameters:
  ///   - newBadgeCount: 0 or more.
  ///   - completionHandler: gets ``UNError/badgeInputInvalid`` for a number below 0,
  ///     ``UNError/notificationsNotAllowed`` if the application may not notify, else nil.
  @preconcurrency
  open func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    core.setBadge(newBadgeCount) { error in Self.callBack { completionHandler?(error) } }
  }

  /// Sets the number on the application's icon; 0 hides it.
  /// - Throws: ``UNError/badgeInputInvalid`` for a number below 0, ``UNError/notificationsNotAllowed`` if the
  ///   application may not notify.
  open func setBadgeCount(_ newBadgeCount: Int) async throws {
    try await Self.outcome { core.setBadge(newBadgeCount, $0) }
  }

  // MARK: Categories

  /// Replaces all registered categories. Notifications that are shown keep their buttons.
  open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { core.setCategories(categories) }

  /// Tells the registered categories.
  @preconcurrency
  open func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = core.categories
    Self.callBack { completionHandler(categories) }
  }

  /// The registered categories.
  open func notificationCategories() async -> Set<UNNotificationCategory> { core.categories }

  // MARK: Requests

  /// Delivers a notification: at once, or when its trigger fires. A pending request with the same identifier is
  /// replaced, a delivered notification when the new one is delivered. Attachments move into a store.
  /// - Parameters:
  ///   - request: what, and when.
  ///   - completionHandler: gets nil when the daemon has accepted the notification or the request is pending; else a
  ///     ``UNError``, or, where Apple has no code (no bus, no daemon, refused), an error that says what to do.
  @preconcurrency
  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    core.add(request) { error in
      if let completionHandler { Self.callBack { completionHandler(error) } }
    }
  }

  /// Delivers a notification: at once, or when its trigger fires. A pending request with the same identifier is
  /// replaced, a delivered notification when the new one is delivered. Attachments move into a store.
  ///
  /// Returns when the daemon has accepted the notification or the request is pending.
  /// - Throws: ``UNError``, or, where Apple has no code (no bus, no daemon, refused), an error that says what to do.
  open func add(_ request: UNNotificationRequest) async throws {
    try await Self.outcome { core.add(request, $0) }
  }

  /// Tells the requests that wait for their trigger, the soonest first.
  @preconcurrency
  open func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    core.pending { requests in Self.callBack { completionHandler(requests) } }
  }

  /// The requests that wait for their trigger, the soonest first.
  open func pendingNotificationRequests() async -> [UNNotificationRequest] {
    await withCheckedContinuation { continuation in core.pending { continuation.resume(returning: $0) } }
  }

  /// Removes pending requests; unknown identifiers are ignored.
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    core.removePending(identifiers)
  }

  /// Removes all pending requests.
  open func removeAllPendingNotificationRequests() { core.removePending(nil) }

  // MARK: Delivered notifications

  /// Tells the delivered notifications that are still there, the oldest first.
  @preconcurrency
  open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
    core.delivered { notifications in Self.callBack { completionHandler(notifications) } }
  }

  /// The delivered notifications that are still there, the oldest first.
  open func deliveredNotifications() async -> [UNNotification] {
    await withCheckedContinuation { continuation in core.delivered { continuation.resume(returning: $0) } }
  }

  /// Removes delivered notifications from the screen and the list; unknown identifiers are ignored.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    core.removeDelivered(identifiers)
  }

  /// Removes all delivered notifications of the application.
  open func removeAllDeliveredNotifications() { core.removeDelivered(nil) }

  // MARK: Answers

  /// Runs a program's handler where it may take its time.
  private static func callBack(_ handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: handler)
  }

  private static func outcome(
    _ operation: (@escaping @Sendable ((any Error)?) -> Void) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      operation { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}

import NotificationBridge

/// What does the work for a center: the engine of this process, or the resident bridge.
///
/// Operations take effect in the order in which they are given, from any thread. Answers come later, on some thread; they
/// must not block.
protocol CenterBackend: Sendable {
  /// Sets who hears of notifications and responses.
  /// - Parameter asks: whether it is asked how to present notifications.
  func setCaller(_ caller: DelegateCaller, asks: Bool)
  func authorize(
    _ options: AuthorizationRecord.Options,
    _ answer: @escaping @Sendable (Result<AuthorizationRecord, BridgeError>) -> Void)
  func settings(_ answer: @escaping @Sendable (SettingsRecord) -> Void)
  func setBadge(_ count: Int, _ answer: @escaping @Sendable (BridgeError?) -> Void)
  func setCategories(_ records: [CategoryRecord])
  /// - Parameters:
  ///   - taken: called once the request's files are not needed in their place for its being accepted.
  ///   - ended: called when the notification's life has come to an end, where that is known.
  func add(
    _ record: RequestRecord, taken: @escaping @Sendable () -> Void,
    _ answer: @escaping @Sendable (BridgeError?) -> Void, ended: @escaping @Sendable () -> Void)
  func pending(_ answer: @escaping @Sendable ([(RequestRecord, Date)]) -> Void)
  func delivered(_ answer: @escaping @Sendable ([NotificationRecord]) -> Void)
  /// - Parameter identifiers: nil: all.
  func removePending(_ identifiers: [String]?)
  func removeDelivered(_ identifiers: [String]?)
  /// Says that a response has been dealt with.
  /// - Parameter sent: called when that has left the process, which may end then.
  func acknowledge(_ response: ResponseRecord, sent: @escaping @Sendable () -> Void)
  /// Tells which files of this process are still needed.
  func attachmentPaths(_ answer: @escaping @Sendable (Set<String>) -> Void)
}

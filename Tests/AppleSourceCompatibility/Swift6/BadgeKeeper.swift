import UserNotifications

/// Keeps the badge at the number of what is unread, and the list free of what is old.
struct BadgeKeeper {
  let center = UNUserNotificationCenter.current()

  @discardableResult
  func refresh() async -> Int {
    let delivered = await center.deliveredNotifications()
    let count = delivered.count
    try? await center.setBadgeCount(count)
    return count
  }

  /// Of several with one thread only the newest stays.
  func removeDuplicates() async -> [String] {
    var seen = Set<String>()
    var old: [String] = []
    for notification in await center.deliveredNotifications().reversed() {
      let thread = notification.request.content.threadIdentifier
      guard !thread.isEmpty else { continue }
      if !seen.insert(thread).inserted { old.append(notification.request.identifier) }
    }
    center.removeDeliveredNotifications(withIdentifiers: old)
    return old
  }

  func clear() {
    center.removeAllDeliveredNotifications()
    center.setBadgeCount(0) { error in
      if let error { print("the badge stays: \(error)") }
    }
  }

  func invalid() async -> UNError.Code? {
    do {
      try await center.setBadgeCount(-5)
      return nil
    } catch let error as UNError {
      return error.code
    } catch {
      return nil
    }
  }
}

/// The state of a content.
///
/// Unchecked: all fields are Sendable but `badge`, an immutable number, and `userInfo`, whose values are property-list
/// objects that their owner hands over and no longer changes (the same promise as on Apple's systems).
struct ContentFields: @unchecked Sendable {
  var title = ""
  var subtitle = ""
  var body = ""
  var badge: NSNumber?
  var sound: UNNotificationSound?
  var launchImageName = ""
  var userInfo: [AnyHashable: Any] = [:]
  var attachments: [UNNotificationAttachment] = []
  var categoryIdentifier = ""
  var threadIdentifier = ""
  var summaryArgument = ""
  var summaryArgumentCount = 1
  var targetContentIdentifier: String?
  var interruptionLevel = UNNotificationInterruptionLevel.active
  var relevanceScore = 0.0
  var filterCriteria: String?

  func isEqual(to other: ContentFields) -> Bool {
    title == other.title && subtitle == other.subtitle && body == other.body && badge == other.badge
      && sound == other.sound && launchImageName == other.launchImageName && attachments == other.attachments
      && categoryIdentifier == other.categoryIdentifier && threadIdentifier == other.threadIdentifier
      && summaryArgument == other.summaryArgument && summaryArgumentCount == other.summaryArgumentCount
      && targetContentIdentifier == other.targetContentIdentifier && interruptionLevel == other.interruptionLevel
      && relevanceScore == other.relevanceScore && filterCriteria == other.filterCriteria
      && UserInfo.areEqual(userInfo, other.userInfo)
  }

  var hash: Int {
    var hasher = Hasher()
    hasher.combine(title)
    hasher.combine(subtitle)
    hasher.combine(body)
    hasher.combine(categoryIdentifier)
    hasher.combine(threadIdentifier)
    return hasher.finalize()
  }

  init() {}

  init(coder: NSCoder) {
    title = coder.text("title") ?? ""
    subtitle = coder.text("subtitle") ?? ""
    body = coder.text("body") ?? ""
    badge = coder.number("badge")
    sound = coder.object("sound", UNNotificationSound.self)
    launchImageName = coder.text("launchImageName") ?? ""
    userInfo = coder.data("userInfo").map(UserInfo.objects(archive:)) ?? [:]
    attachments = coder.objects("attachments", UNNotificationAttachment.self) ?? []
    categoryIdentifier = coder.text("categoryIdentifier") ?? ""
    threadIdentifier = coder.text("threadIdentifier") ?? ""
    summaryArgument = coder.text("summaryArgument") ?? ""
    summaryArgumentCount = max(1, coder.number("summaryArgumentCount")?.intValue ?? 1)
    targetContentIdentifier = coder.text("targetContentIdentifier")
    interruptionLevel =
      coder.number("interruptionLevel").flatMap { UNNotificationInterruptionLevel(rawValue: $0.uintValue) } ?? .active
    relevanceScore = coder.number("relevanceScore")?.doubleValue ?? 0
    filterCriteria = coder.text("filterCriteria")
  }

  func encode(with coder: NSCoder) {
    coder.encode(title, forKey: "title")
    coder.encode(subtitle, forKey: "subtitle")
    coder.encode(body, forKey: "body")
    coder.encode(badge, forKey: "badge")
    coder.encode(sound, forKey: "sound")
    coder.encode(launchImageName, forKey: "launchImageName")
    coder.encode(UserInfo.archive(userInfo), forKey: "userInfo")
    coder.encode(attachments, forKey: "attachments")
    coder.encode(categoryIdentifier, forKey: "categoryIdentifier")
    coder.encode(threadIdentifier, forKey: "threadIdentifier")
    coder.encode(summaryArgument, forKey: "summaryArgument")
    coder.encode(NSNumber(value: summaryArgumentCount), forKey: "summaryArgumentCount")
    coder.encode(targetContentIdentifier, forKey: "targetContentIdentifier")
    coder.encode(NSNumber(value: interruptionLevel.rawValue), forKey: "interruptionLevel")
    coder.encode(NSNumber(value: relevanceScore), forKey: "relevanceScore")
    coder.encode(filterCriteria, forKey: "filterCriteria")
  }
}

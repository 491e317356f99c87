internal import FoundationEssentials
internal import FreedesktopNotifications

/// Busy threads are shown as one notification: the newest, and how many more there are of whom.
///
/// The single notifications stay in the delivered list; the daemon shows the summary in their place. That is an entry of
/// the ledger under a name that no sender can choose.
extension BridgeEngine {
  private static let summaryPrefix = "\u{1}thread\u{1}"

  /// Whether a key is that of a thread's summary.
  static func isSummary(_ key: NotificationKey) -> Bool { key.identifier.hasPrefix(summaryPrefix) }

  private static func summaryKey(_ application: String, _ thread: String) -> NotificationKey {
    NotificationKey(application: application, identifier: summaryPrefix + thread)
  }

  private static func thread(_ key: NotificationKey) -> String {
    String(key.identifier.dropFirst(summaryPrefix.count))
  }

  private func members(_ application: String, _ thread: String) -> [Ledger.Entry] {
    ledger.delivered(application).filter {
      $0.isOpen && $0.record.request.content.threadIdentifier == thread && !Self.isSummary($0.key)
    }
  }

  /// How many notifications of a delivery's thread are shown once it is; 1 without a thread.
  func threadCount(of delivery: Delivery) -> Int {
    let thread = delivery.submission.request.content.threadIdentifier
    guard !thread.isEmpty else { return 1 }
    let others = members(delivery.key.application, thread).count { $0.key != delivery.key }
    return max(1, Self.isSummary(delivery.key) ? others : others + 1)
  }

  /// Sees to it that a summary that was just posted says what there is by now.
  /// - Returns: false: it is none.
  func settleSummary(_ key: NotificationKey) -> Bool {
    guard Self.isSummary(key) else { return false }
    let submission = summary(key)
    if submission == nil || submission?.request != ledger[key]?.record.request { showSummary(key, isNew: false) }
    return true
  }

  /// Takes a delivery that would make its thread too long into the summary instead of posting it.
  /// - Returns: false: it is to be posted by itself.
  func collapse(
    _ delivery: Delivery, _ record: NotificationRecord, _ translation: Translator.Result, _ category: CategoryRecord?
  ) -> Bool {
    let (application, thread) = (delivery.key.application, record.request.content.threadIdentifier)
    guard policy.collapseAfter > 0, !thread.isEmpty, delivery.shownAt == nil, !Self.isSummary(delivery.key),
      !isDrawn(delivery)
    else { return false }
    let summary = Self.summaryKey(application, thread)
    guard !expandedThreads.contains(summary) else { return false }
    let others = members(application, thread).filter { $0.key != delivery.key }
    guard ledger[summary] != nil || others.count >= policy.collapseAfter else { return false }
    let former = ledger[delivery.key]
    outbox.finish(delivery.number)
    enter(delivery, record, translation, category, serverID: nil)
    if let former { close(former) }
    showSummary(summary, isNew: true)
    return true
  }

  /// What a thread's summary is to say; nil: there is nothing to be summed up.
  private func summary(_ key: NotificationKey) -> Submission? {
    let members = members(key.application, Self.thread(key))
    guard let newest = members.last else { return nil }
    let request = newest.record.request
    var content = request.content
    let category = categories[key.application]?[content.categoryIdentifier]
    let summary = ThreadSummary(of: members.dropLast().map(\.record.request.content), category: category)
    content.body = content.body.isEmpty ? summary.text : content.body + "\n" + summary.text
    content.categoryIdentifier = ""
    content.attachments = []
    content.badge = nil
    var desktop = DesktopOptions()
    desktop.icon = request.desktop.icon
    desktop.urgency = request.desktop.urgency
    desktop.category = request.desktop.category ?? Translator.standardClass(request.content.categoryIdentifier)
    desktop.actions = [ActionRecord(identifier: "show", title: Words.showAll)]
    desktop.reportsDismissal = true
    return Submission(
      RequestRecord(identifier: key.identifier, content: content, desktop: desktop), from: newest.record.application)
  }

  /// Posts a thread's summary, or posts it anew, and takes the single ones off the screen.
  private func showSummary(_ key: NotificationKey, isNew: Bool) {
    guard let submission = summary(key) else {
      withdraw(key, .closed)
      return
    }
    deliver(submission, shownAt: isNew ? nil : surroundings.clock.now)
    for member in members(key.application, Self.thread(key)) {
      guard let serverID = member.serverID else { continue }
      ledger.update(member.key) { $0.serverID = nil }
      afterCommit { $0.server.close(serverID: serverID) }
    }
  }

  /// The user wants to see them: each is shown by itself again, and so are later ones until the thread is empty.
  func expandThread(_ key: NotificationKey) {
    guard let entry = ledger.remove(key) else { return }
    if entry.isOpen { close(entry) }
    expandedThreads.insert(key)
    for member in members(key.application, Self.thread(key)) where member.serverID == nil { showAgain(member) }
  }

  /// The user dismissed the summary: all of the thread are dismissed.
  func dismissThread(_ key: NotificationKey) {
    ledger.remove(key)
    for member in members(key.application, Self.thread(key)) { dismiss(member.key, member) }
  }

  /// One has left its thread.
  func leaveThread(_ key: NotificationKey, _ entry: Ledger.Entry) {
    endDrawing(key)
    let thread = entry.record.request.content.threadIdentifier
    guard policy.collapseAfter > 0, !thread.isEmpty, !Self.isSummary(key) else { return }
    let summary = Self.summaryKey(key.application, thread)
    if members(key.application, thread).isEmpty { expandedThreads.remove(summary) }
    if ledger[summary] != nil { showSummary(summary, isNew: false) }
  }
}

/// What a summary says of the notifications that it stands for. Pure.
struct ThreadSummary {
  /// One line, such as "5 more from Ana and Ben".
  let text: String

  /// - Parameters:
  ///   - contents: all but the newest, oldest first.
  ///   - category: its summary format is used, as Apple's: the count for `%u`, the joined arguments for `%@`.
  init(of contents: [ContentRecord], category: CategoryRecord?) {
    var count = 0
    var names: [String] = []
    for content in contents {
      count += max(content.summaryArgumentCount, 1)
      let name = content.summaryArgument.isEmpty ? content.title : content.summaryArgument
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    let format = category?.categorySummaryFormat ?? ""
    text = format.isEmpty ? Words.more(count, from: names) : CountFormat.fill(format, count: count, Words.list(names))
  }
}

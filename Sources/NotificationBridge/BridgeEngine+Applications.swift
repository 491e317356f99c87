public import FoundationEssentials
internal import FreedesktopNotifications

extension BridgeEngine {
  /// Sets how the engine behaves from now on.
  public func setPolicy(_ policy: EnginePolicy) { self.policy = policy }

  // MARK: Categories

  /// Replaces all categories of an application. What is shown keeps its buttons, but that a notification that was
  /// shown with an unknown category within the last seconds gets them now.
  public func setCategories(_ records: [CategoryRecord], for application: String) {
    categories[application] = Dictionary(records.map { ($0.identifier, $0) }) { _, last in last }
    keep(.setCategories(application, categories(of: application)))
    showLateCategories(of: application)
  }

  /// The categories of an application.
  public func categories(of application: String) -> [CategoryRecord] {
    (categories[application] ?? [:]).values.sorted { $0.identifier < $1.identifier }
  }

  // MARK: Badges

  /// Sets an application's badge.
  public func setBadge(_ count: Int, for application: String) {
    badges[application] = count
    keep(.setBadge(application, count))
    surroundings.badges?.show(count, of: application)
  }

  /// An application's badge; nil: never set.
  public func badge(of application: String) -> Int? { badges[application] }

  // MARK: Authorization

  /// Answers a request for authorization by the policy, or by the user where the policy says so; the first answer
  /// stays. `answer` is called once, on the engine; it must not block.
  public func authorize(
    _ options: AuthorizationRecord.Options, application: ApplicationRecord,
    _ answer: @escaping @Sendable (AuthorizationRecord) -> Void
  ) {
    let name = application.identifier
    var record = authorization(of: name)
    record.options.formUnion(options)
    let isOpen = record.status == .notDetermined || record.status == .provisional && !options.contains(.provisional)
    if isOpen {
      if options.contains(.provisional), policy.permission(of: name) != .deny {
        record.status = .provisional
      } else if policy.permission(of: name) == .ask {
        setAuthorization(record, for: name)
        return ask(application, answer)
      } else {
        record.status = .authorized
      }
    }
    setAuthorization(record, for: name)
    self.answer(durably: true) { [record = authorization(of: name)] _ in answer(record) }
  }

  /// An application's authorization; not determined until it asked, denied where the policy says so.
  public func authorization(of application: String) -> AuthorizationRecord {
    var record = authorizations[application] ?? AuthorizationRecord()
    if policy.permission(of: application) == .deny { record.status = .denied }
    return record
  }

  /// Sets an authorization, as the user's or a policy's answer.
  public func setAuthorization(_ record: AuthorizationRecord, for application: String) {
    guard authorizations[application] != record else { return }
    authorizations[application] = record
    keep(.setAuthorization(application, record))
  }

  /// The application by which the bridge itself speaks.
  public static let ownApplication = ApplicationRecord(
    identifier: "org.notifybridge.NotifyBridge", name: "notify-bridge", isKnown: true)

  /// Asks the user by a notification.
  private func ask(_ application: ApplicationRecord, _ answer: @escaping @Sendable (AuthorizationRecord) -> Void) {
    let name = application.identifier
    questions[name, default: []].append(answer)
    guard questions[name]?.count == 1 else { return }
    var content = ContentRecord()
    content.title = Words.wantsToNotify(application.name)
    content.interruptionLevel = .timeSensitive
    var desktop = DesktopOptions()
    desktop.lifetime = 0
    desktop.actions = [
      ActionRecord(identifier: "allow", title: Words.allow), ActionRecord(identifier: "deny", title: Words.doNotAllow),
    ]
    let request = RequestRecord(identifier: "authorization-" + name, content: content, desktop: desktop)
    deliver(
      Submission(request, from: Self.ownApplication) { [weak self] result in
        if case .failure = result { self?.enqueue { $0.answered(name, nil) } }
      } onOutcome: { [weak self] outcome in
        var status: AuthorizationRecord.Status?
        if case .responded(let response) = outcome {
          switch response.action {
          case .custom("allow"): status = .authorized
          case .custom("deny"): status = .denied
          default: break
          }
        }
        self?.enqueue { [status] in $0.answered(name, status) }
      })
  }

  /// - Parameter status: nil: the user did not say; the application may ask again.
  private func answered(_ application: String, _ status: AuthorizationRecord.Status?) {
    var record = authorization(of: application)
    if let status { record.status = status }
    setAuthorization(record, for: application)
    let waiting = questions.removeValue(forKey: application) ?? []
    answer(durably: true) { [record] _ in for question in waiting { question(record) } }
  }

  // MARK: Settings

  /// What an application may do and what the desktop shows; what is not known is not supported.
  public func settings(of application: String) async -> SettingsRecord {
    let profile = await currentProfile()
    var settings = SettingsRecord()
    settings.authorization = authorization(of: application)
    guard let profile else { return settings }
    let capabilities = profile.capabilities
    let desktop = await surroundings.facts?.settings(of: application, profile) ?? DesktopSettings()
    if desktop.enabled == false { settings.authorization.status = .denied }
    settings.alert = Self.setting(desktop.banners, standard: true)
    let soundIsPlayed = capabilities.sound || surroundings.sounds != nil
    settings.sound = soundIsPlayed ? Self.setting(desktop.sounds, standard: true) : .notSupported
    settings.badge =
      surroundings.facts?.showsBadges == true ? Self.setting(desktop.badges, standard: true) : .notSupported
    settings.notificationCenter =
      capabilities.persistence ? Self.setting(desktop.history, standard: true) : .notSupported
    settings.lockScreen = Self.setting(desktop.lockScreen, standard: nil)
    settings.criticalAlert = Self.setting(desktop.criticalInDoNotDisturb, standard: nil)
    if let details = desktop.lockScreenDetails { settings.previews = details ? .always : .whenAuthenticated }
    if policy.hidesPreviewsWhenLocked, surroundings.facts?.isLocked != nil { settings.previews = .whenAuthenticated }
    return settings
  }

  private static func setting(_ known: Bool?, standard: Bool?) -> SettingsRecord.Setting {
    switch known ?? standard {
    case true?: .enabled
    case false?: .disabled
    case nil: .notSupported
    }
  }

  // MARK: Lists

  /// An application's requests that wait for their trigger, the soonest first, each with its due date.
  public func pendingRequests(of application: String) -> [(request: RequestRecord, due: Date)] {
    commit()
    return pending.list(application).compactMap { item in
      submission(of: item).map { ($0.request, item.entry.due) }
    }
  }

  /// An application's delivered notifications that are still there, oldest first.
  public func deliveredNotifications(of application: String) -> [NotificationRecord] {
    ledger.delivered(application).filter { !Self.isSummary($0.key) }.map(\.record)
  }

  /// The applications that have pending or delivered notifications.
  public var activeApplications: [String] {
    Set(pending.applications).union(ledger.applications).sorted()
  }

  /// How many notifications wait for the daemon.
  public var queuedCount: Int { outbox.count + inFlight.count }

  /// How many requests wait for their trigger.
  public var pendingCount: Int { pending.count }

  /// The present daemon's name and version, as far as they are known by now.
  public var presentServer: String? { profile.map { "\($0.information.name) \($0.information.version)" } }

  /// What happened.
  /// - Throws: ``BridgeError`` with code `store`; nothing is kept without a store.
  public func history(
    after sequence: Int64, application: String?, limit: Int, newest: Bool
  ) throws(BridgeError) -> [HistoryRecord] {
    commit()
    return try surroundings.store?.history(after: sequence, application: application, limit: limit, newest: newest)
      ?? []
  }

  /// The number of the last event.
  public var lastSequence: Int64 { sequence }
}

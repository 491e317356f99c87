package import NotificationBridge

// Apple's objects to records and back. Records cross isolation and processes; objects do not.

// MARK: Requests

extension RequestRecord {
  /// - Throws: ``BridgeError`` that names the key path in `userInfo` which cannot be stored.
  init(_ request: UNNotificationRequest) throws(BridgeError) {
    self.init(
      identifier: request.identifier, content: try ContentRecord(request.content.fields),
      trigger: request.trigger.flatMap(TriggerRecord.init))
  }
}

extension UNNotificationRequest {
  /// - Parameter due: when a pending one fires next.
  convenience init(_ record: RequestRecord, due: Date? = nil) {
    self.init(
      record.identifier, UNNotificationContent(ContentFields(record.content)),
      record.trigger.map { UNNotificationTrigger.make($0, due: due) })
  }
}

extension ContentRecord {
  init(_ content: ContentFields) throws(BridgeError) {
    self.init()
    title = content.title
    subtitle = content.subtitle
    body = content.body
    badge = content.badge?.intValue
    sound = content.sound?.record
    launchImageName = content.launchImageName
    userInfo = try UserInfo.record(content.userInfo)
    attachments = content.attachments.map(\.record)
    categoryIdentifier = content.categoryIdentifier
    threadIdentifier = content.threadIdentifier
    summaryArgument = content.summaryArgument
    summaryArgumentCount = content.summaryArgumentCount
    targetContentIdentifier = content.targetContentIdentifier
    interruptionLevel = InterruptionLevel(content.interruptionLevel)
    relevanceScore = content.relevanceScore
    filterCriteria = content.filterCriteria
  }
}

extension ContentFields {
  init(_ record: ContentRecord) {
    self.init()
    title = record.title
    subtitle = record.subtitle
    body = record.body
    badge = record.badge.map(NSNumber.init(value:))
    sound = record.sound.map(UNNotificationSound.init)
    launchImageName = record.launchImageName
    userInfo = UserInfo.objects(record.userInfo)
    attachments = record.attachments.map(UNNotificationAttachment.init)
    categoryIdentifier = record.categoryIdentifier
    threadIdentifier = record.threadIdentifier
    summaryArgument = record.summaryArgument
    summaryArgumentCount = max(1, record.summaryArgumentCount)
    targetContentIdentifier = record.targetContentIdentifier
    interruptionLevel = UNNotificationInterruptionLevel(record.interruptionLevel)
    relevanceScore = record.relevanceScore
    filterCriteria = record.filterCriteria
  }
}

extension InterruptionLevel {
  init(_ level: UNNotificationInterruptionLevel) {
    self =
      switch level {
      case .passive: .passive
      case .active: .active
      case .timeSensitive: .timeSensitive
      case .critical: .critical
      }
  }
}

extension UNNotificationInterruptionLevel {
  init(_ level: InterruptionLevel) {
    self =
      switch level {
      case .passive: .passive
      case .active: .active
      case .timeSensitive: .timeSensitive
      case .critical: .critical
      }
  }
}

// MARK: Triggers

extension TriggerRecord {
  /// Nil for a trigger of the application's own making, which nothing here could fire.
  init?(_ trigger: UNNotificationTrigger) {
    switch trigger {
    case let trigger as UNTimeIntervalNotificationTrigger:
      self = .interval(seconds: trigger.timeInterval, repeats: trigger.repeats)
    case let trigger as UNCalendarNotificationTrigger:
      self = .calendar(CalendarRule(trigger.dateComponents), repeats: trigger.repeats)
    case is UNPushNotificationTrigger: self = .push
    default: return nil
    }
  }
}

extension UNNotificationTrigger {
  static func make(_ record: TriggerRecord, due: Date?) -> UNNotificationTrigger {
    switch record {
    case .interval(let seconds, let repeats):
      UNTimeIntervalNotificationTrigger(Fields(repeats: repeats, interval: seconds, due: due))
    case .calendar(let rule, let repeats):
      UNCalendarNotificationTrigger(Fields(repeats: repeats, components: DateComponents(rule)))
    case .push: UNPushNotificationTrigger(Fields(repeats: false))
    }
  }
}

// MARK: Categories

extension CategoryRecord {
  init(_ category: UNNotificationCategory) {
    self.init(
      identifier: category.identifier, actions: category.actions.map(ActionRecord.init),
      options: Options(rawValue: category.options.rawValue))
    intentIdentifiers = category.intentIdentifiers
    hiddenPreviewsBodyPlaceholder = category.hiddenPreviewsBodyPlaceholder
    categorySummaryFormat = category.categorySummaryFormat
  }
}

extension UNNotificationCategory {
  convenience init(_ record: CategoryRecord) {
    self.init(
      Fields(
        identifier: record.identifier, actions: record.actions.map(UNNotificationAction.make),
        intentIdentifiers: record.intentIdentifiers,
        hiddenPreviewsBodyPlaceholder: record.hiddenPreviewsBodyPlaceholder,
        categorySummaryFormat: record.categorySummaryFormat, options: record.options.rawValue))
  }
}

extension ActionRecord {
  init(_ action: UNNotificationAction) {
    self.init(
      identifier: action.identifier, title: action.title, options: Options(rawValue: action.options.rawValue),
      textInput: (action as? UNTextInputNotificationAction).map {
        TextInput(buttonTitle: $0.textInputButtonTitle, placeholder: $0.textInputPlaceholder)
      })
    iconName = action.icon?.fields.name
  }
}

extension UNNotificationAction {
  package static func make(_ record: ActionRecord) -> UNNotificationAction {
    var fields = Fields(
      identifier: record.identifier, title: record.title, options: record.options.rawValue,
      icon: record.iconName.map { UNNotificationActionIcon(systemImageName: $0) })
    guard let textInput = record.textInput else { return UNNotificationAction(fields) }
    fields.textInputButtonTitle = textInput.buttonTitle
    fields.textInputPlaceholder = textInput.placeholder
    return UNTextInputNotificationAction(fields)
  }
}

// MARK: What comes back

extension UNNotification {
  convenience init(_ record: NotificationRecord) {
    self.init(date: record.date, request: UNNotificationRequest(record.request))
  }
}

extension UNNotificationResponse {
  /// Nil for the wish to see the application's settings, which is no response.
  package static func make(_ record: ResponseRecord) -> UNNotificationResponse? {
    let identifier: String
    switch record.action {
    case .default: identifier = UNNotificationDefaultActionIdentifier
    case .dismiss: identifier = UNNotificationDismissActionIdentifier
    case .custom(let name): identifier = name
    case .settings: return nil
    }
    let notification = UNNotification(record.notification)
    guard let text = record.text else {
      return UNNotificationResponse(.init(notification: notification, actionIdentifier: identifier))
    }
    return UNTextInputNotificationResponse(
      .init(notification: notification, actionIdentifier: identifier, userText: text))
  }
}

extension UNNotificationSettings {
  convenience init(_ record: SettingsRecord) {
    func setting(_ setting: SettingsRecord.Setting) -> UNNotificationSetting {
      switch setting {
      case .notSupported: .notSupported
      case .disabled: .disabled
      case .enabled: .enabled
      }
    }
    self.init(
      Fields(
        authorizationStatus: UNAuthorizationStatus(record.authorization.status),
        notificationCenter: setting(record.notificationCenter), lockScreen: setting(record.lockScreen),
        alert: setting(record.alert), badge: setting(record.badge), sound: setting(record.sound),
        criticalAlert: setting(record.criticalAlert), timeSensitive: setting(record.timeSensitive),
        alertStyle: record.alert == .enabled ? .banner : .none,
        showPreviews: UNShowPreviewsSetting(record.previews),
        providesAppNotificationSettings: record.authorization.options.contains(.providesAppNotificationSettings)))
  }
}

extension UNShowPreviewsSetting {
  init(_ previews: SettingsRecord.Previews) {
    self =
      switch previews {
      case .always: .always
      case .whenAuthenticated: .whenAuthenticated
      case .never: .never
      }
  }
}

extension UNAuthorizationStatus {
  init(_ status: AuthorizationRecord.Status) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .authorized: .authorized
      case .provisional: .provisional
      }
  }
}

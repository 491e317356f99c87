import Foundation
import Testing

@testable import UserNotifications

/// Names and numbers that programs store, send and compare: they are Apple's.
@Suite struct ValueTests {
  /// The number of each option, and the option of that number.
  private func checkOptions<Options: OptionSet>(_ options: KeyValuePairs<UInt, Options>)
  where Options.RawValue == UInt, Options.Element == Options {
    for (number, option) in options {
      #expect(option.rawValue == number)
      #expect(Options(rawValue: number) == option)
    }
  }

  /// The number of each case, and the case of that number; of others there is none.
  private func checkCases<Case: RawRepresentable & Equatable>(_ cases: [(Case, Int)]) where Case.RawValue == Int {
    for (value, number) in cases {
      #expect(value.rawValue == number)
      #expect(Case(rawValue: number) == value)
    }
    #expect(Case(rawValue: -1) == nil && Case(rawValue: cases.count) == nil)
  }

  @Test func authorizationOptionsHaveApplesNumbers() {
    checkOptions([
      1: UNAuthorizationOptions.badge, 2: .sound, 4: .alert, 8: .carPlay, 16: .criticalAlert,
      32: .providesAppNotificationSettings, 64: .provisional, 128: .init(rawValue: 128),
      256: .init(rawValue: 256),
    ])
  }

  @available(*, deprecated, message: "of deprecated names")
  @Test func deprecatedOptionsHaveApplesNumbers() {
    #expect(UNAuthorizationOptions.announcement.rawValue == 128 && UNAuthorizationOptions.timeSensitive.rawValue == 256)
    #expect(UNNotificationPresentationOptions.alert.rawValue == 4)
    #expect(UNNotificationCategoryOptions.allowAnnouncement.rawValue == 16)
  }

  @Test func presentationOptionsHaveApplesNumbers() {
    checkOptions([
      1: UNNotificationPresentationOptions.badge, 2: .sound, 4: .init(rawValue: 4), 8: .list, 16: .banner,
    ])
  }

  @Test func categoryOptionsHaveApplesNumbers() {
    checkOptions([
      1: UNNotificationCategoryOptions.customDismissAction, 2: .allowInCarPlay, 4: .hiddenPreviewsShowTitle,
      8: .hiddenPreviewsShowSubtitle, 16: .init(rawValue: 16),
    ])
  }

  @Test func actionOptionsHaveApplesNumbers() {
    checkOptions([1: UNNotificationActionOptions.authenticationRequired, 2: .destructive, 4: .foreground])
  }

  @Test func authorizationStatesHaveApplesNumbers() {
    checkCases([
      (UNAuthorizationStatus.notDetermined, 0), (.denied, 1), (.authorized, 2), (.provisional, 3), (.ephemeral, 4),
    ])
  }

  @Test func settingsHaveApplesNumbers() {
    checkCases([(UNNotificationSetting.notSupported, 0), (.disabled, 1), (.enabled, 2)])
  }

  @Test func alertStylesHaveApplesNumbers() { checkCases([(UNAlertStyle.none, 0), (.banner, 1), (.alert, 2)]) }

  @Test func previewSettingsHaveApplesNumbers() {
    checkCases([(UNShowPreviewsSetting.always, 0), (.whenAuthenticated, 1), (.never, 2)])
  }

  @Test func interruptionLevelsHaveApplesNumbers() {
    let levels: [(UNNotificationInterruptionLevel, UInt)] = [
      (.passive, 0), (.active, 1), (.timeSensitive, 2), (.critical, 3),
    ]
    for (level, number) in levels {
      #expect(level.rawValue == number)
      #expect(UNNotificationInterruptionLevel(rawValue: number) == level)
    }
    #expect(UNNotificationInterruptionLevel(rawValue: 4) == nil)
  }

  @Test func namesAreApples() {
    #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
    #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
    #expect(UNErrorDomain == "UNErrorDomain")
    #expect(UNNotificationAttachmentOptionsTypeHintKey == "UNNotificationAttachmentOptionsTypeHintKey")
    #expect(UNNotificationAttachmentOptionsThumbnailHiddenKey == "UNNotificationAttachmentOptionsThumbnailHiddenKey")
    #expect(
      UNNotificationAttachmentOptionsThumbnailClippingRectKey
        == "UNNotificationAttachmentOptionsThumbnailClippingRectKey")
    #expect(UNNotificationAttachmentOptionsThumbnailTimeKey == "UNNotificationAttachmentOptionsThumbnailTimeKey")
  }

  @Test func soundNamesHoldTheirText() {
    #expect(UNNotificationSoundName("a.wav").rawValue == "a.wav")
    #expect(UNNotificationSoundName(rawValue: "b.wav").rawValue == "b.wav")
    #expect(UNNotificationSoundName("a") == UNNotificationSoundName(rawValue: "a"))
  }

  @Test func errorsTellTheirCodeDomainAndWords() {
    let error = UNError(.attachmentCorrupt, userInfo: [NSLocalizedDescriptionKey: "the words", "more": 5])
    #expect(error.code == .attachmentCorrupt && error.errorCode == 105)
    #expect(UNError.errorDomain == UNErrorDomain && (error as NSError).domain == "UNErrorDomain")
    #expect(error.localizedDescription == "the words")
    #expect(error.userInfo["more"] as? Int == 5 && error.errorUserInfo["more"] as? Int == 5)
    #expect(UNError(.badgeInputInvalid).userInfo.isEmpty)
  }
}

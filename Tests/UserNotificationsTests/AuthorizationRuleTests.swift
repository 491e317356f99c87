import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

/// Permission and settings, rule by rule.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationRuleTests {
  private func asking() -> EnginePolicy {
    var policy = EnginePolicy()
    policy.standardPermission = .ask
    return policy
  }

  @Test("the first request asks the user once, and later ones report the answer", arguments: ["allow", "deny"])
  func firstAnswerStays(_ key: String) async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { server, posted in server.invoke(posted.serverID, key) }
    let stage = try await CenterStage(behavior, policy: asking())
    for options in [[.alert], [.alert, .sound, .badge], []] as [UNAuthorizationOptions] {
      if key == "allow" {
        #expect(try await stage.center.requestAuthorization(options: options))
      } else {
        let code = await appleCode { _ = try await stage.center.requestAuthorization(options: options) }
        #expect(code == .notificationsNotAllowed)
      }
    }
    #expect(stage.daemon.posted.count == 1, "one question")
    #expect(
      await stage.center.notificationSettings().authorizationStatus == (key == "allow" ? .authorized : .denied))
  }

  @Test("who is denied gets false and the error 1 in the form with a handler")
  func deniedHandler() async throws {
    var policy = EnginePolicy()
    policy.standardPermission = .deny
    let stage = try await CenterStage(policy: policy)
    let notes = Notes<String>()
    stage.center.requestAuthorization(options: .alert) { notes.add("\($0) \(($1 as? UNError)?.code.rawValue ?? 0)") }
    stage.center.add(CenterStage.request("a")) { notes.add("add \(($0 as? UNError)?.code.rawValue ?? 0)") }
    stage.center.setBadgeCount(3) { notes.add("badge \(($0 as? UNError)?.code.rawValue ?? 0)") }
    try await eventually(within: .seconds(10), "three answers") { notes.all.count == 3 }
    #expect(Set(notes.all) == ["false 1", "add 1", "badge 1"])
    #expect(await stage.engine.badge(of: "org.example.stage") == nil)
    #expect(stage.daemon.posted.isEmpty)
  }

  @Test("provisional: granted without a question, and shown without sound and urgency")
  func provisional() async throws {
    let stage = try await CenterStage(policy: asking())
    #expect(try await stage.center.requestAuthorization(options: [.alert, .sound, .provisional]))
    #expect(await stage.center.notificationSettings().authorizationStatus == .provisional)
    try await stage.center.add(
      CenterStage.request("quiet") {
        $0.sound = .default
        $0.interruptionLevel = .timeSensitive
      })
    let posted = try await stage.posted("quiet").notification
    #expect(posted.urgency == .low && posted.hints["suppress-sound"]?.asBool == true)
    #expect(stage.daemon.posted.count == 1, "nobody was asked")
  }

  @Test("provisional becomes authorized when the application asks for more and the user agrees")
  func provisionalThenAsked() async throws {
    let stage = try await CenterStage()
    #expect(try await stage.center.requestAuthorization(options: [.alert, .provisional]))
    #expect(try await stage.center.requestAuthorization(options: [.alert, .sound]))
    #expect(await stage.center.notificationSettings().authorizationStatus == .authorized)
    try await stage.center.add(CenterStage.request("loud") { $0.sound = .default })
    #expect(try await stage.posted("loud").notification.urgency == .normal)
  }

  @Test("settings are a snapshot")
  func snapshot() async throws {
    let stage = try await CenterStage()
    let before = await stage.center.notificationSettings()
    _ = try await stage.center.requestAuthorization(options: [.alert])
    #expect(before.authorizationStatus == .notDetermined)
    #expect(await stage.center.notificationSettings() != before)
  }

  @Test("each setting is what the desktop says, and not supported where it says nothing")
  func truthfulSettings() async throws {
    let desktop = FakeDesktop()
    let stage = try await CenterStage(desktop: desktop)
    let silent = await stage.center.notificationSettings()
    #expect(silent.lockScreenSetting == .notSupported && silent.criticalAlertSetting == .notSupported)
    #expect(silent.timeSensitiveSetting == .notSupported && silent.scheduledDeliverySetting == .notSupported)
    #expect(silent.badgeSetting == .enabled && silent.alertStyle == .banner)
    var settings = DesktopSettings()
    settings.banners = false
    settings.sounds = false
    settings.badges = false
    settings.history = false
    settings.lockScreen = true
    settings.criticalInDoNotDisturb = true
    desktop.set(settings: settings)
    let known = await stage.center.notificationSettings()
    #expect(known.alertSetting == .disabled && known.alertStyle == .none)
    #expect(known.soundSetting == .disabled && known.badgeSetting == .disabled)
    #expect(known.notificationCenterSetting == .disabled)
    #expect(known.lockScreenSetting == .enabled && known.criticalAlertSetting == .enabled)
    settings.enabled = false
    desktop.set(settings: settings)
    desktop.set(showsBadges: false)
    let refused = await stage.center.notificationSettings()
    #expect(refused.authorizationStatus == .denied && refused.badgeSetting == .notSupported)
  }

  @Test("previews: always, or only while the session is unlocked")
  func previews() async throws {
    let desktop = FakeDesktop()
    let stage = try await CenterStage(desktop: desktop)
    #expect(await stage.center.notificationSettings().showPreviewsSetting == .always)
    var settings = DesktopSettings()
    settings.lockScreenDetails = false
    desktop.set(settings: settings)
    #expect(await stage.center.notificationSettings().showPreviewsSetting == .whenAuthenticated)
    var record = SettingsRecord()
    record.previews = .never
    #expect(UNNotificationSettings(record).showPreviewsSetting == .never)
  }

  @Test("a button for the application's settings is asked for by an option")
  func providesSettings() async throws {
    let stage = try await CenterStage()
    _ = try await stage.center.requestAuthorization(options: .alert)
    #expect(await !stage.center.notificationSettings().providesAppNotificationSettings)
    _ = try await stage.center.requestAuthorization(options: .providesAppNotificationSettings)
    #expect(await stage.center.notificationSettings().providesAppNotificationSettings)
  }
}

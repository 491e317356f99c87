import TestSupport
import Testing
import UserNotifications

/// The programs of this folder, each run as it is, in a process of its own, against a fake daemon.
@Suite(.timeLimit(.minutes(2))) struct Swift5ProgramRunTests {
  @Test func theNotificationServiceAsksNotifiesAndHearsBack() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let service = NotificationService.shared
      service.start()
      let opened = Box<[String]>([])
      service.onOpen = { text in opened.value.append(text) }
      service.notifyNow("Body only")
      // Without a title the application's name stands there.
      #expect(try await stage.posted("org.example.Program").body == "Body only")
      let answered = Box<String?>(nil)
      service.notify(title: "Backup", body: "Done", after: 0.3) { answered.value = $0.map { "\($0)" } ?? "added" }
      try await eventually(within: .seconds(20), "it is added") { answered.value == "added" }
      let posted = try await stage.posted("Backup")
      #expect(posted.body == "Done" && posted.actions.map { $0.key } == ["default"])
      try await stage.press("default", on: "Backup")
      try await eventually(within: .seconds(20), "it is opened") { opened.value == ["Backup"] }
      service.refresh()
    }
  }

  @Test func theMainActorServicePresentsTheFirstAndHidesTheRest() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let service = await MainActorService()
      UNUserNotificationCenter.current().delegate = service
      func post(_ title: String) async throws {
        let content = UNMutableNotificationContent()
        content.title = title
        try await UNUserNotificationCenter.current().add(
          UNNotificationRequest(identifier: title, content: content, trigger: nil))
      }
      try await post("first")
      try await stage.press("default", on: "first")
      try await eventually(within: .seconds(20), "it is opened") { await service.opened == ["first"] }
      try await post("second")
      #expect(stage.daemon.posted.map { $0.notification.summary } == ["first"])
    }
  }

  @Test func thePomodoroTimerFiresSkipsAndIsCancelled() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let timer = PomodoroTimer()
      let phases = Box<[PomodoroTimer.Phase]>([])
      timer.onPhase = { phase in phases.value.append(phase) }
      let failed: Bool = await withCheckedContinuation { done in
        timer.start(seconds: 0.4) { done.resume(returning: $0 != nil) }
      }
      #expect(!failed)
      let posted = try await stage.posted("work is over")
      #expect(posted.body == "What now?" && posted.actions.map { $0.label } == ["Skip", "Stop", "Open"])
      try await stage.press("skip", on: "work is over")
      try await eventually(within: .seconds(20), "the phase changes") { phases.value == [.pause] }
      _ = await withCheckedContinuation { done in timer.start(seconds: 1500) { done.resume(returning: $0 == nil) } }
      let remaining: TimeInterval? = await withCheckedContinuation { done in
        timer.remaining { done.resume(returning: $0) }
      }
      #expect(remaining.map { $0 > 1400 && $0 <= 1500 } == true)
      timer.cancel()
      let after: TimeInterval? = await withCheckedContinuation { done in timer.remaining { done.resume(returning: $0) }
      }
      #expect(after == nil)
    }
  }
}

/// What a callback of the main queue writes and a test reads.
final class Box<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value
  init(_ value: Value) { stored = value }
  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

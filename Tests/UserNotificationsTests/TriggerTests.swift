import Foundation
import Testing

@testable import UserNotifications

@Suite struct TriggerTests {
  @Test func intervalCountsFromNow() throws {
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
    let before = Date()
    let next = try #require(trigger.nextTriggerDate())
    #expect(next >= before.addingTimeInterval(5) && next <= Date().addingTimeInterval(5))
    #expect(!trigger.repeats && trigger.timeInterval == 5)
  }

  @Test func pendingIntervalTellsItsRealTime() throws {
    let soon = Date().addingTimeInterval(30)
    #expect(
      UNTimeIntervalNotificationTrigger(.init(repeats: false, interval: 100, due: soon)).nextTriggerDate() == soon)
    let past = Date().addingTimeInterval(-250)
    #expect(UNTimeIntervalNotificationTrigger(.init(repeats: false, interval: 100, due: past)).nextTriggerDate() == nil)
    #expect(
      UNTimeIntervalNotificationTrigger(.init(repeats: true, interval: 100, due: past)).nextTriggerDate()
        == past.addingTimeInterval(300))
  }

  @Test func sixtySecondsRepeatingAreAllowed() {
    #expect(UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true).repeats)
  }

  @Test("C081 an interval of zero or less stops the program and says why")
  func zeroTraps() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("time interval must be greater than 0"))
  }

  @Test("C081 a negative interval stops the program and says why")
  func negativeTraps() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = UNTimeIntervalNotificationTrigger(timeInterval: -1, repeats: false)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("time interval must be greater than 0"))
  }

  @Test("C081 five seconds repeating stop the program and say why")
  func shortRepeatingTraps() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: true)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("time interval must be at least 60 if repeating"))
  }

  @Test func triggersOfOneKindAndValueAreEqual() {
    let interval = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
    #expect(interval == UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
    #expect(interval != UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
    #expect(interval != UNTimeIntervalNotificationTrigger(timeInterval: 61, repeats: false))
    #expect(Samples.calendarTrigger() == Samples.calendarTrigger())
    let other = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 1), repeats: true)
    #expect(other != Samples.calendarTrigger())
    #expect(interval.copy() as AnyObject === interval)
  }
}

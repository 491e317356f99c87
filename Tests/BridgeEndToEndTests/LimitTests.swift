import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// Daemons that take so many and no more, or so fast and no faster.
@Suite("Too many for the daemon", .timeLimit(.minutes(2))) struct LimitTests {
  /// The errors of real daemons.
  static let errors: [ErrorName] = [
    // Plasma.
    "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
    // notification-daemon.
    "org.freedesktop.Notifications.MaxNotificationsExceeded",
    // mate-notification-daemon.
    "org.gtk.GDBus.UnmappedGError.Quark._notify_2ddaemon_2derror_2dquark.Code1",
    // notify-osd.
    "org.freedesktop.DBus.GLib.UnmappedError.NotifyOsd.Code1",
  ]

  /// A daemon that shows so many at most.
  private final class Screen: Sendable {
    let open = Mutex(0)
    let refused = Mutex(0)

    func behavior(_ error: ErrorName, limit: Int) -> FakeNotificationServer.Behavior {
      var behavior = FakeNotificationServer.Behavior()
      behavior.answer = { [self] _, _ in
        if open.withLock({ $0 >= limit }) {
          refused.withLock { $0 += 1 }
          return .refuse(error, "Exceeded maximum number of notifications")
        }
        open.withLock { $0 += 1 }
        return .accept
      }
      behavior.closes = { [self] _ in
        open.withLock { $0 -= 1 }
        return true
      }
      return behavior
    }
  }

  @Test(
    "C060: over the maximum they wait in order, their senders are told at once, and a close lets the next in",
    arguments: LimitTests.errors)
  func maximum(_ error: ErrorName) async throws {
    let screen = Screen()
    let fixture = try await BridgeFixture(screen.behavior(error, limit: 2))
    for number in 1...6 {
      let result = try await fixture.run("send", "--id", "n\(number)", "\(number)")
      #expect(result.status == 0 && result.duration < .seconds(1))
      #expect(
        result.errors.contains("it is kept and shown later: the notification daemon has too many") == (number > 2))
    }
    #expect(fixture.titles == ["1", "2"])
    // One that the user closes, one that he clicks, and one that its sender takes back.
    func next(_ count: Int, _ close: () async throws -> Void) async throws {
      let start = ContinuousClock.now
      try await close()
      _ = try await fixture.shown(count, within: .seconds(5))
      #expect(start.duration(to: .now) < .milliseconds(700), "at once and not when the pause is over")
    }
    try await next(3) {
      screen.open.withLock { $0 -= 1 }
      fixture.daemon.close(1, .dismissed)
    }
    try await Task.sleep(for: .milliseconds(50))
    try await next(4) {
      fixture.daemon.invoke(2, "default")
      screen.open.withLock { $0 -= 1 }
      fixture.daemon.close(2, .dismissed)
    }
    try await Task.sleep(for: .milliseconds(50))
    try await next(5) { _ = try await fixture.run("remove", "n3") }
    try await Task.sleep(for: .milliseconds(50))
    try await next(6) { _ = try await fixture.run("remove", "n4") }
    #expect(fixture.titles == (1...6).map { "\($0)" })
    #expect(screen.refused.withLock { $0 } < 12)
  }

  @Test("C060: what comes too fast comes a little later, all of it, once and in order", arguments: LimitTests.errors)
  func rate(_ error: ErrorName) async throws {
    let until = Mutex<ContinuousClock.Instant?>(nil)
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in
      if call == 3 { until.withLock { $0 = .now + .milliseconds(1_500) } }
      return until.withLock { $0.map { $0 > .now } ?? false } ? .refuse(error, "too fast") : .accept
    }
    let fixture = try await BridgeFixture(behavior)
    for number in 1...5 { #expect(try await fixture.run("send", "\(number)").status == 0) }
    #expect(try await fixture.shown(5) == (1...5).map { "\($0)" })
  }

  @Test("C060: any other error is the sender's, with the daemon's words, and holds up nobody")
  func otherError() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in call == 1 ? .refuse("org.example.Error.Dislike", "no such colour") : .accept }
    let fixture = try await BridgeFixture(behavior)
    let refused = try await fixture.run("send", "1")
    #expect(refused.status != 0 && refused.errors.contains("no such colour"))
    #expect(try await fixture.run("send", "2").status == 0)
    #expect(fixture.titles == ["2"])
  }
}

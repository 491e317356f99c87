import DBus
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

@testable import BridgeControl

/// Pushes of one name that wait for the application's service extension.
@Suite(.timeLimit(.minutes(1))) struct PushLineTests {
  @Test("Behind a service extension that hangs a limited number waits; the others are refused at once")
  func limited() async throws {
    let bus = try await PrivateBus()
    let executor = try BusExecutor()
    let connection = try await BusConnection.connect(to: bus.address, on: executor)
    let log = MemoryLog()
    let engine = BridgeEngine(
      server: DaemonServer(on: connection), surroundings: .init(clock: ManualClock(), zones: GMTRules(), log: log),
      on: executor)
    var surroundings = ControlService.Surroundings(
      identify: { $1(.free) }, stage: { records, _, answer in answer(.success(records)) }, problems: { [] },
      status: { [:] }, version: "test", pendingLimit: 10, log: log)
    surroundings.extensions = FakeExtensions(service: { _, _ in })
    let control = ControlService(engine: engine, connection: connection, surroundings: surroundings, on: executor)
    let refused = Mutex<[BridgeError.Code]>([])
    for _ in 0..<ControlService.pushesInLine + 4 {
      let submission = Submission(.plain("news"), from: ApplicationRecord(identifier: "org.example", name: "E")) {
        if case .failure(let error) = $0 { refused.withLock { $0.append(error.code) } }
      }
      await control.submitPushed(submission, isMutable: true)
    }
    #expect(refused.withLock { $0 } == [.tooMany, .tooMany, .tooMany])
    await connection.close()
  }
}

import BridgeControl
import DBus
import DesktopServices
import Dispatch
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport

@testable import UserNotifications

/// A center of the test's own on a bus of the test's own, with a fake daemon.
final class CenterStage: Sendable {
  let bus: PrivateBus
  let daemon: FakeNotificationServer
  let center: UNUserNotificationCenter
  let engine: BridgeEngine
  let log: MemoryLog
  private let control: ControlService?
  let store: TemporaryFolder

  /// On a busy machine nothing may depend on how fast a delegate is.
  static let patient = DelegateCaller.Limits(answer: .seconds(40), mainQueue: .seconds(40))

  init(
    _ behavior: FakeNotificationServer.Behavior = .init(), limits: DelegateCaller.Limits = patient,
    policy: EnginePolicy = .init(), images: (any ImageDecoder)? = nil, clock: any WallClock = SystemClock(),
    desktop: FakeDesktop? = nil,
    bridged: Bool = isBridged
  ) async throws {
    let bus = try await PrivateBus()
    self.bus = bus
    daemon = try await FakeNotificationServer.start(at: bus.address, behavior)
    let store = try TemporaryFolder()
    self.store = store
    let log = MemoryLog()
    self.log = log
    // Not the bus itself: it ends with the stage, however long the engine lives.
    let address = bus.address
    let application = ApplicationRecord(identifier: "org.example.stage", name: "Stage", isKnown: true)
    let surroundings = BridgeEngine.Surroundings(
      clock: clock, zones: EngineHost.zones, images: images, log: log, facts: desktop, sounds: desktop,
      badges: desktop)
    let executor = try BusExecutor()
    let backend: any CenterBackend
    if bridged {
      var options = BusConnection.Options()
      options.reconnects = true
      let ofBridge = try BusExecutor()
      let connection = try await BusConnection.connect(to: address, options: options, on: ofBridge)
      engine = BridgeEngine(
        server: DaemonServer(on: connection), surroundings: surroundings, policy: policy, on: ofBridge)
      control = try await Self.serve(engine, connection, ofBridge, files: store.path, log)
      let ours = try await BusConnection.connect(to: address, options: options, on: executor)
      backend = BridgeBackend(
        ControlChannel(on: ours, executor: executor, log: log), application: application, log: log)
    } else {
      engine = BridgeEngine(
        server: SessionServer(on: executor) { () throws(BusError) in address }, surroundings: surroundings,
        policy: policy, on: executor)
      control = nil
      backend = EngineBackend(host: EngineHost(application: application, engine: engine, log: log))
    }
    center = UNUserNotificationCenter(
      core: CenterCore(
        limits: limits, log: log, attachments: AttachmentFolders(bundlePath: "/no/bundle", parent: store.path)
      ) { backend })
  }

  /// True where the tests run against the bridge's side of the bus instead of the engine of the process.
  static let isBridged = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_TEST_HOST"] == "bridge"

  /// The bridge's side of the bus, on a connection of its own.
  private static func serve(
    _ engine: BridgeEngine, _ connection: BusConnection, _ executor: BusExecutor, files folder: String,
    _ log: MemoryLog
  ) async throws -> ControlService {
    let control = ControlService(
      engine: engine, connection: connection,
      surroundings: .init(
        identify: { $1(.free) },
        stage: { records, files, answer in
          answer(.success(zip(records, files).map { Self.copy($0, $1, to: folder) }))
        },
        problems: { [] }, status: { [:] }, version: "test", pendingLimit: 10_000, log: log), on: executor)
    await control.start()
    _ = try await connection.requestName(ControlInterface.busName, .doNotQueue)
    return control
  }

  private static func copy(_ record: AttachmentRecord, _ file: OwnedDescriptor?, to folder: String) -> AttachmentRecord
  {
    var record = record
    let handle = FileHandle(fileDescriptor: file?.rawValue ?? -1, closeOnDealloc: false)
    record.path = "\(folder)/\(UUID().uuidString)-\((record.path as NSString).lastPathComponent)"
    try? handle.readToEnd()?.write(to: URL(fileURLWithPath: record.path))
    return record
  }

  /// The notification that was posted last with this title; waits for it, since the fake daemon notes a notification
  /// after it has answered.
  func posted(_ title: String) async throws -> FakeNotificationServer.Posted {
    var found: FakeNotificationServer.Posted?
    try await eventually(within: .seconds(10), "\(title) is posted") {
      found = daemon.posted.last { $0.notification.summary == title }
      return found != nil
    }
    guard let found else { throw RunnerError(title) }
    return found
  }

  /// Its number.
  func number(_ title: String) async throws -> UInt32 { try await posted(title).serverID }

  /// All titles in order, once there are so many.
  func titles(_ count: Int) async throws -> [String] {
    try await eventually(within: .seconds(10), "\(count) are posted") { daemon.posted.count >= count }
    return daemon.posted.map(\.notification.summary)
  }

  static func request(
    _ identifier: String, title: String? = nil, category: String = "", trigger: UNNotificationTrigger? = nil,
    _ change: (UNMutableNotificationContent) -> Void = { _ in }
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = title ?? identifier
    content.categoryIdentifier = category
    change(content)
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }
}

/// A folder that goes with this object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("un-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let url = URL(fileURLWithPath: path + "/" + name)
    try Data(bytes).write(to: url)
    return url
  }

  /// Every regular file below, by name.
  var files: [String] {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return all.filter { !$0.hasSuffix("/") }.filter {
      var isFolder = ObjCBool(false)
      // Writes one flag that lives in this function.
      return unsafe FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.map { ($0 as NSString).lastPathComponent }
  }
}

/// Counts and keeps what happened, from any thread.
final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])
  func add(_ note: Note) { notes.withLock { $0.append(note) } }
  var all: [Note] { notes.withLock { $0 } }
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Not by thread: under `dispatchMain()` the main queue has threads of its own on Linux.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

/// A delegate in completion form.
final class TestDelegate: NSObject, UNUserNotificationCenterDelegate {
  let responses = Notes<UNNotificationResponse>()
  let asked = Notes<String>()
  let settingsFor = Notes<String>()
  let onMain = Notes<Bool>()
  /// Completion handlers of responses that were not called.
  let held = Notes<@Sendable () -> Void>()
  let presentation: UNNotificationPresentationOptions?
  let answersResponses: Bool

  /// - Parameters:
  ///   - presentation: nil: the handler is never called.
  ///   - answersResponses: false: the handler is never called.
  init(presentation: UNNotificationPresentationOptions? = [.banner, .list, .sound], answersResponses: Bool = true) {
    self.presentation = presentation
    self.answersResponses = answersResponses
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    onMain.add(isOnMainQueue)
    asked.add(notification.request.identifier)
    if let presentation { completionHandler(presentation) }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    onMain.add(isOnMainQueue)
    responses.add(response)
    if answersResponses { completionHandler() } else { held.add(completionHandler) }
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
    settingsFor.add(notification?.request.identifier ?? "nil")
  }
}

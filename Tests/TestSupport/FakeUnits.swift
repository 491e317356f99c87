import DBus
import Foundation
import Glibc
import Synchronization

/// The units of a ``FakeUserManager``.
final class FakeUnits: Sendable {
  private struct Unit {
    let asked: StartedUnit
    let job: UInt32
    var active = "activating"
    var result = "success"
    var code: Int32 = 0
    var status: Int32 = 0
    var hasJob = true
    var runner: BinaryRunner?
    /// Of a unit with descriptors of its own, instead of that.
    var process: Int32?
    var exports: [Export] = []
  }

  private struct State {
    var started: [StartedUnit] = []
    var stopped: [String] = []
    var killed: [(String, Int32)] = []
    var units: [String: Unit] = [:]
    var jobs: UInt32 = 0
    var identity = UInt64(Date().timeIntervalSince1970 * 1e6)
  }

  private let connection: BusConnection
  private let behavior: FakeUserManager.Behavior
  private let state = Mutex(State())

  init(_ connection: BusConnection, _ behavior: FakeUserManager.Behavior) {
    self.connection = connection
    self.behavior = behavior
  }

  var started: [StartedUnit] { state.withLock { $0.started } }
  var stopped: [String] { state.withLock { $0.stopped } }
  var killed: [(name: String, signal: Int32)] { state.withLock { $0.killed } }
  var units: [String] { state.withLock { $0.units.keys.sorted() } }

  func restart() {
    let units = state.withLock { state in
      state.identity += 1
      defer { state.units = [:] }
      return state.units
    }
    for unit in units.values {
      unit.runner?.signal(SIGKILL)
      if let process = unit.process { Glibc.kill(process, SIGKILL) }
    }
  }

  // MARK: The interface

  var interface: ExportedInterface {
    ExportedInterface(
      "org.freedesktop.systemd1.Manager",
      methods: [
        .init(
          "StartTransientUnit",
          takes: [.init("name", "s"), .init("mode", "s"), .init("properties", "a(sv)"), .init("aux", "a(sa(sv))")],
          returns: [.init("job", "o")]
        ) { [weak self] in self?.start($0) },
        .init("StopUnit", takes: [.init("name", "s"), .init("mode", "s")], returns: [.init("job", "o")]) {
          [weak self] in self?.stop($0)
        },
        .init("KillUnit", takes: [.init("name", "s"), .init("whom", "s"), .init("signal", "i")]) { [weak self] in
          self?.kill($0)
        },
        .init("ResetFailedUnit", takes: [.init("name", "s")]) { [weak self] in self?.resetFailed($0) },
        .init("GetUnit", takes: [.init("name", "s")], returns: [.init("unit", "o")]) { [weak self] in self?.get($0) },
        .init("Subscribe") { $0.reply() },
        .init("Unsubscribe") { $0.reply() },
      ],
      properties: [
        .init("Version", "s") { .string("252 (fake)") },
        .init("UserspaceTimestamp", "t") { [weak self] in .uint64(self?.state.withLock { $0.identity } ?? 0) },
      ])
  }

  private static let types: [String: Signature] = [
    "Description": "s", "Type": "s", "ExecStart": "a(sasb)", "Environment": "as", "Slice": "s", "CollectMode": "s",
    "RemainAfterExit": "b", "TimeoutStartUSec": "t", "TimeoutStopUSec": "t", "StandardInput": "s",
    "StandardInputData": "ay", "WorkingDirectory": "s", "ExitType": "s", "KillMode": "s", "SyslogIdentifier": "s",
    "AddRef": "b", "RuntimeMaxUSec": "t", "StandardInputFileDescriptor": "h", "StandardOutputFileDescriptor": "h",
    "StandardErrorFileDescriptor": "h",
  ]

  private func start(_ call: IncomingCall) {
    let body = call.message.body
    var properties: [String: Value] = [:]
    var fault: String?
    for entry in body[2].asArray ?? [] {
      guard let pair = entry.asStructure, let name = pair[0].asString else { continue }
      let value = pair[1].unwrapped
      let type = behavior.unknownProperties.contains(name) ? nil : Self.types[name]
      if type == nil { fault = fault ?? "Cannot set property \(name), or unknown property." }
      if let type, type != value.signature { fault = fault ?? "\(name) is '\(value.signature)', not '\(type)'" }
      properties[name] = value
    }
    // Descriptors are the program's alone: a copy of ours would keep its pipes open.
    let streams = ["Input", "Output", "Error"].compactMap { name -> OwnedDescriptor? in
      let value = properties.updateValue(.boolean(true), forKey: "Standard\(name)FileDescriptor")
      guard case .unixFD(let descriptor)? = value else {
        properties["Standard\(name)FileDescriptor"] = value
        return nil
      }
      return descriptor
    }
    let unit = StartedUnit(name: body[0].asString ?? "", mode: body[1].asString ?? "", properties: properties)
    let known = state.withLock { state in
      state.started.append(unit)
      return state.units[unit.name] != nil
    }
    if let fault { return call.fail("org.freedesktop.DBus.Error.PropertyReadOnly", fault) }
    if known { return call.fail("org.freedesktop.systemd1.UnitExists", "Unit \(unit.name) was already loaded") }
    if !unit.name.hasSuffix(".service") { return call.fail(.invalidArguments, "Unit name is not valid") }
    if !unit.path.hasPrefix("/") { return call.fail(.invalidArguments, "Invalid path: \(unit.path)") }
    begin(unit, call, streams)
  }

  private func begin(_ unit: StartedUnit, _ call: IncomingCall, _ streams: [OwnedDescriptor]) {
    let answer = behavior.answer(unit)
    if case .refuse(let name, let text) = answer { return call.fail(name, text) }
    let job = state.withLock { state in
      state.jobs += 1
      state.units[unit.name] = Unit(asked: unit, job: state.jobs)
      return state.jobs
    }
    let exports = objects(of: unit.name)
    state.withLock { $0.units[unit.name]?.exports = exports }
    if case .silence = answer {
      return kept.withLock { $0.append(call) }
    }
    // The answer leaves first, as with the real manager, whatever the unit then does.
    call.reply([.objectPath(Self.path(ofJob: job))])
    switch answer {
    case .run where streams.count == 3: run(unit, streams)
    case .run: run(unit)
    case .exit(let status): finish(unit.name, .exited(status))
    case .signal(let number): finish(unit.name, .signalled(number))
    case .timeout: finish(unit.name, .signalled(SIGTERM), timedOut: true)
    case .job(let result): endJob(unit.name, result)
    case .keepRunning: if unit.type == "exec" { started(unit.name) }
    case .refuse, .silence: break
    }
  }

  /// Calls that are never answered.
  private let kept = Mutex<[IncomingCall]>([])

  // MARK: Running

  private func run(_ unit: StartedUnit) {
    let environment = behavior.environment.merging(unit.environment) { $1 }
    let limit = unit.type == "oneshot" ? unit.timeLimit : nil
    do {
      let runner = try BinaryRunner(
        unit.path, unit.arguments(environment), name: unit.words.first, environment: environment.mapValues { $0 },
        directory: unit.properties["WorkingDirectory"]?.asString, input: .bytes(unit.input),
        timeLimit: limit ?? .seconds(60))
      state.withLock { $0.units[unit.name]?.runner = runner }
      if unit.type == "exec" { started(unit.name) }
      Task {
        let result = await runner.result()
        finish(unit.name, result.ending, timedOut: result.timedOut)
      }
    } catch {
      // What systemd calls 203/EXEC.
      finish(unit.name, .exited(203))
    }
  }

  /// Runs one that reads from and writes to descriptors that came along.
  private func run(_ unit: StartedUnit, _ streams: [OwnedDescriptor]) {
    let environment = behavior.environment.merging(unit.environment) { $1 }
    do {
      var plan = try SpawnPlan(given: streams.map(\.rawValue))
      defer { plan.closeChildEnds() }
      let process = try plan.spawn(
        unit.path, [unit.path] + unit.arguments(environment), environment,
        unit.properties["WorkingDirectory"]?.asString)
      state.withLock { $0.units[unit.name]?.process = process }
      started(unit.name)
      Thread.detachNewThread { [self] in
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        finish(unit.name, status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f))
      }
    } catch {
      finish(unit.name, .exited(203))
    }
  }

  /// The program of an application runs: its job is done, the unit active.
  private func started(_ name: String) {
    state.withLock { $0.units[name]?.active = "active" }
    endJob(name, "done")
  }

  func finish(_ name: String, _ ending: BinaryResult.Ending, timedOut: Bool = false) {
    let result: String? = state.withLock { state in
      guard var unit = state.units[name] else { return nil }
      switch ending {
      case .exited(let status):
        (unit.code, unit.status) = (1, status)
        unit.result = status == 0 ? "success" : "exit-code"
      case .signalled(let number):
        (unit.code, unit.status) = (2, number)
        unit.result = "signal"
      }
      if timedOut { unit.result = "timeout" }
      let remains = unit.asked.properties["RemainAfterExit"]?.asBool == true
      unit.active = unit.result == "success" ? (remains ? "active" : "inactive") : "failed"
      state.units[name] = unit
      return unit.result == "success" ? "done" : "failed"
    }
    if let result { endJob(name, result) }
  }

  /// Says that the unit's job is over, and lets the unit go if nothing keeps it.
  private func endJob(_ name: String, _ result: String) {
    let ended: (Unit, signals: Bool)? = state.withLock { state in
      guard var unit = state.units[name] else { return nil }
      if result != "done", unit.active == "activating" {
        unit.active = result == "failed" ? "failed" : "inactive"
        unit.result = "resources"
      }
      let signals = unit.hasJob
      unit.hasJob = false
      let mode = unit.asked.properties["CollectMode"]?.asString ?? "inactive"
      let goes = unit.active == "inactive" || unit.active == "failed" && mode == "inactive-or-failed"
      state.units[name] = goes ? nil : unit
      return (unit, signals)
    }
    if let ended, ended.signals { signal(ended.0.job, name, result) }
  }

  private func signal(_ job: UInt32, _ name: String, _ result: String) {
    connection.emit(
      Signal(
        at: "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved",
        [.uint32(job), .objectPath(Self.path(ofJob: job)), .string(name), .string(result)]))
  }

  // MARK: The other calls

  private func stop(_ call: IncomingCall) {
    let name = call.message.body[0].asString ?? ""
    let stopped: (job: UInt32, unit: Unit)? = state.withLock { state in
      state.stopped.append(name)
      guard var unit = state.units[name] else { return nil }
      state.jobs += 1
      unit.hasJob = false
      if unit.active == "activating" { (unit.active, unit.result) = ("failed", "signal") }
      state.units[name] = unit.active == "failed" ? unit : nil
      return (state.jobs, unit)
    }
    guard let stopped else { return call.fail("org.freedesktop.systemd1.NoSuchUnit", "Unit \(name) not loaded.") }
    stopped.unit.runner?.signal(SIGTERM)
    if let process = stopped.unit.process { Glibc.kill(process, SIGKILL) }
    call.reply([.objectPath(Self.path(ofJob: stopped.job))])
    signal(stopped.job, name, "done")
  }

  /// To all processes of a unit that runs, or as if.
  private func kill(_ call: IncomingCall) {
    let name = call.message.body[0].asString ?? ""
    let number = call.message.body[2].asInt32 ?? 0
    guard let unit = state.withLock({ $0.units[name] }) else {
      return call.fail("org.freedesktop.systemd1.NoSuchUnit", "Unit \(name) not loaded.")
    }
    call.reply()
    state.withLock { $0.killed.append((name, number)) }
    if let runner = unit.runner {
      runner.signal(number)
    } else if unit.active == "activating", number != SIGTERM || !behavior.ignoresTermination {
      finish(name, .signalled(number))
    }
  }

  private func resetFailed(_ call: IncomingCall) {
    let name = call.message.body[0].asString ?? ""
    let isKnown = state.withLock { state in
      guard let unit = state.units[name] else { return false }
      if unit.active == "failed" { state.units[name] = nil }
      return true
    }
    isKnown ? call.reply() : call.fail("org.freedesktop.systemd1.NoSuchUnit", "Unit \(name) not loaded.")
  }

  private func get(_ call: IncomingCall) {
    let name = call.message.body[0].asString ?? ""
    guard state.withLock({ $0.units[name] != nil }) else {
      return call.fail("org.freedesktop.systemd1.NoSuchUnit", "Unit \(name) not loaded.")
    }
    call.reply([.objectPath(Self.path(of: name))])
  }

  /// The unit's own object.
  private func objects(of name: String) -> [Export] {
    weak let units = self
    let read: @Sendable (@escaping @Sendable (Unit) -> Value) -> @Sendable () -> Value = { value in
      { units?.state.withLock { $0.units[name].map(value) } ?? .string("") }
    }
    let unit = ExportedInterface(
      "org.freedesktop.systemd1.Unit",
      properties: [
        .init("ActiveState", "s", read: read { .string($0.active) }),
        .init(
          "Job", "(uo)",
          read: read {
            .structure([
              .uint32($0.hasJob ? $0.job : 0), .objectPath($0.hasJob ? FakeUnits.path(ofJob: $0.job) : "/"),
            ])
          }),
      ])
    let service = ExportedInterface(
      "org.freedesktop.systemd1.Service",
      properties: [
        .init("Result", "s", read: read { .string($0.result) }),
        .init("ExecMainCode", "i", read: read { .int32($0.code) }),
        .init("ExecMainStatus", "i", read: read { .int32($0.status) }),
      ])
    return [unit, service].map { connection.export($0, at: Self.path(of: name)) }
  }

  private static func path(ofJob job: UInt32) -> ObjectPath {
    ObjectPath(unchecked: "/org/freedesktop/systemd1/job/\(job)")
  }

  private static func path(of name: String) -> ObjectPath {
    let text = name.utf8.map { byte -> String in
      let scalar = UnicodeScalar(byte)
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      return isPlain ? String(scalar) : "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return ObjectPath(unchecked: "/org/freedesktop/systemd1/unit/" + text.joined())
  }
}

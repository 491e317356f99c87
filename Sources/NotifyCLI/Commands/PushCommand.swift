internal import BridgeControl
internal import DBus
internal import DesktopServices
internal import FoundationEssentials
internal import NotificationBridge
internal import Synchronization

/// `push`: shows the payload of a remote notification, as a push service would deliver it.
enum PushCommand {
  static let spec = CommandSpec(
    name: "push", summary: "Show the payload of a remote notification (APNs JSON, .apns files).",
    operands: "[APP] FILE|-",
    options: [
      OptionSpec("collapse-id", value: "IDENTIFIER", "its name; the same again replaces it (at most 64 bytes)"),
      OptionSpec(
        "strings", value: "FOLDER", completes: .file,
        "look for localisation keys in FOLDER/LANG.lproj first; it is shown without the application's extensions"),
      OptionSpec("print-id", short: "p", "print its identifier"),
      OptionSpec("json", "print what became of it as one JSON object"),
      SendOptions.help,
    ],
    details: """
      APP is the application's identifier; an .apns file may name it as "Simulator Target Bundle". What is wrong with
      the payload is said on standard error, key by key, and what can be shown is shown. Categories that the application
      registered with the resident bridge give their buttons; custom keys come back with the response. A background
      update (content-available) shows nothing: the application's processes that are connected with the bridge get it.
      Localisation keys are looked up in notify-bridge/applications/APP/LANG.lproj/Localizable.strings and .stringsdict
      below XDG_DATA_HOME and XDG_DATA_DIRS, in the session's language.
      Status: 0 shown, or taken by a process; 1 a background update that nobody took; 2 for what is no payload; else as
      send.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    guard let file = arguments.operands.last, arguments.operands.count <= 2 else {
      throw UsageError("push needs a file with a payload, or - for standard input; an application may stand before it")
    }
    let push = try Push(
      file: file, app: arguments.operands.count == 2 ? arguments.operands[0] : nil,
      collapseIdentifier: try collapseIdentifier(arguments), strings: arguments["strings"],
      environment: invocation.environmentForTexts)
    let output = Reporting(printsIdentifier: arguments.has("print-id"), json: arguments.has("json"))
    // What the command looked up itself is posted as it reads by now.
    let isLocal = arguments["strings"] != nil && !push.payload.isBackground
    if !isLocal, let status = throughBridge(push, output, invocation) { return status }
    for note in push.payload.notes { Output.message("\(push.name): \(note)") }
    guard let content = push.payload.content else {
      Output.message("\(push.name) is a background update: who takes it is known to the resident bridge alone")
      return .noDaemon
    }
    let identifier = push.collapseIdentifier ?? UUID().uuidString
    var plan = SendPlan(
      RequestRecord(identifier: identifier, content: content, trigger: .push), from: push.application)
    plan.isDirect = !isLocal
    plan.printsIdentifier = output.printsIdentifier || output.json
    plan.json = output.json
    return SendCommand.run(plan, invocation)
  }

  private static func collapseIdentifier(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let identifier = arguments["collapse-id"] else { return nil }
    guard !identifier.isEmpty, identifier.utf8.count <= 64 else {
      throw UsageError("--collapse-id must have 1 to 64 bytes; it has \(identifier.utf8.count)")
    }
    guard !identifier.utf8.contains(where: { $0 < 32 }) else {
      throw UsageError("--collapse-id \(identifier.quotedForPeople) has control characters")
    }
    return identifier
  }

  /// Nil where there is no bridge.
  private static func throughBridge(_ push: Push, _ output: Reporting, _ invocation: Invocation) -> ExitStatus? {
    let executor: BusExecutor
    do throws(BusProblem) {
      executor = try Host.executor()
    } catch {
      Output.message(error.text)
      return .noDaemon
    }
    let isMissing = Flag()
    let status = Host.wait(on: executor) {
      let client: ControlClient
      do throws(BusProblem) {
        client = ControlClient(on: try await Host.connect(invocation.environment, on: executor))
      } catch {
        Output.message(error.text)
        return .noDaemon
      }
      do throws(BridgeError) {
        guard try await client.start() else {
          isMissing.set()
          return .noDaemon
        }
      } catch {
        Output.message("\(error); going on without it")
        isMissing.set()
        return .noDaemon
      }
      do throws(BridgeError) {
        let report = try await client.push(
          push.bytes, to: push.application, collapseIdentifier: push.collapseIdentifier)
        return output.report(report, push)
      } catch {
        return SendReport.failure(error)
      }
    }
    return isMissing.isSet ? nil : status
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}

/// A payload and whom it is for.
struct Push: Sendable {
  let bytes: [UInt8]
  let payload: PushPayload
  let application: ApplicationRecord
  let collapseIdentifier: String?
  /// For messages.
  let name: String

  /// - Parameters:
  ///   - app: nil: the one that the payload names, else the command's own.
  ///   - strings: a folder with tables that come before the application's own.
  init(
    file: String, app: String?, collapseIdentifier: String?, strings: String?, environment: [String: String]
  ) throws(UsageError) {
    name = file == "-" ? "the payload" : file.quotedForPeople
    bytes = try FileInput.read(file, option: "push")
    self.collapseIdentifier = collapseIdentifier
    let first = strings.map { [FileInput.absolute($0)] } ?? []
    do throws(BridgeError) {
      payload = try PushPayload(bytes) { target in
        let application = Identity.application(app: app ?? target, environment: environment)
        return ApplicationStrings.tables(of: application.identifier, environment: environment, first: first)
      }
    } catch {
      throw UsageError("\(name): \(error.message)")
    }
    application = Identity.application(app: app ?? payload.targetBundle, environment: environment)
  }
}

/// What `push` prints.
private struct Reporting: Sendable {
  var printsIdentifier: Bool
  var json: Bool

  /// What became of a payload, as JSON.
  private struct Result: Encodable {
    var identifier: String
    var delivered: Bool
    var background: Bool
    var processes: Int?
    var notes: [String]
    var dropped: [String]
  }

  func report(_ report: ControlClient.PushReport, _ push: Push) -> ExitStatus {
    let delivery = report.delivery
    if json {
      Output.json(
        Result(
          identifier: delivery.identifier, delivered: delivery.isDelivered, background: report.processes != nil,
          processes: report.processes, notes: report.notes, dropped: delivery.dropped.map { "\($0)" }))
    } else if printsIdentifier {
      Output.result(delivery.identifier)
    }
    for note in report.notes { Output.message("\(push.name): \(note)") }
    guard let processes = report.processes else {
      if let delay = delivery.delay { Output.message("it is kept and shown later: \(delay)") }
      for dropped in delivery.dropped { Output.message("not shown as asked: \(dropped)") }
      return .success
    }
    let application = push.application.identifier.quotedForPeople
    if processes == 0 {
      Output.message(
        "\(push.name) is a background update, and no process of \(application) is there to take it: start the program, "
          + "which must set NotifyBridge.remoteNotificationHandler")
      return .failure
    }
    Output.message(
      "\(push.name) is a background update: \(processes == 1 ? "one process" : "\(processes) processes") of "
        + "\(application) took it")
    return .success
  }
}

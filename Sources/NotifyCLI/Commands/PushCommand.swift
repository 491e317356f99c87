internal import BridgeControl
internal import DBus
internal import FoundationEssentials
internal import NotificationBridge

/// `push`: shows the payload of a remote notification, as a push service would deliver it.
enum PushCommand {
  static let spec = CommandSpec(
    name: "push", summary: "Show the payload of a remote notification (APNs JSON, .apns files).",
    operands: "[APP] FILE|-",
    options: [
      OptionSpec("collapse-id", value: "IDENTIFIER", "its name; the same again replaces it (at most 64 bytes)"),
      OptionSpec("print-id", short: "p", "print its identifier"),
      OptionSpec("json", "print results as JSON, one object a line"),
      SendOptions.help,
    ],
    details: """
      APP is the application's identifier; an .apns file may name it as "Simulator Target Bundle". What is wrong with
      the payload is said on standard error, key by key, and what can be shown is shown. Categories that the application
      registered with the resident bridge give their buttons; custom keys come back with the response.
      Status: 0 shown, or a background update that is not shown; 2 for what is no payload; else as send.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    guard let file = arguments.operands.last, arguments.operands.count <= 2 else {
      throw UsageError("push needs a file with a payload, or - for standard input; an application may stand before it")
    }
    let payload = try payload(file)
    for note in payload.notes { Output.message("\(name(file)): \(note)") }
    let named = arguments.operands.count == 2 ? arguments.operands[0] : payload.targetBundle
    let application = Identity.application(app: named, environment: invocation.environment)
    guard let content = payload.content else {
      Output.message("\(name(file)) is a background update: nothing is shown")
      return .success
    }
    let identifier = try identifier(arguments)
    let request = RequestRecord(identifier: identifier, content: content, trigger: .push)
    var plan = SendPlan(request, from: application)
    plan.printsIdentifier = arguments.has("print-id")
    plan.json = arguments.has("json")
    return SendCommand.run(plan, invocation)
  }

  private static func name(_ file: String) -> String { file == "-" ? "the payload" : file.quotedForPeople }

  private static func payload(_ file: String) throws(UsageError) -> PushPayload {
    let bytes = try FileInput.read(file, option: "push")
    do throws(BridgeError) {
      return try PushPayload(bytes)
    } catch {
      throw UsageError("\(name(file)): \(error.message)")
    }
  }

  private static func identifier(_ arguments: ParsedArguments) throws(UsageError) -> String {
    guard let identifier = arguments["collapse-id"] else { return UUID().uuidString }
    guard !identifier.isEmpty, identifier.utf8.count <= 64 else {
      throw UsageError("--collapse-id must have 1 to 64 bytes; it has \(identifier.utf8.count)")
    }
    return identifier
  }
}

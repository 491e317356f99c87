internal import DesktopServices
internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge

/// `on test`: runs a handler as the bridge does, with a made-up response.
enum OnTest {
  static func run(
    _ operands: [String], _ arguments: ParsedArguments, _ invocation: Invocation, _ folders: HandlerFolders
  ) throws(UsageError) -> ExitStatus {
    guard let operand = operands.first, operands.count == 1 else {
      throw UsageError("on test needs the name of one handler; 'on list' names them")
    }
    for option in ["app", "category", "action"] where arguments.all(option).count > 1 {
      throw UsageError("a response has one --\(option): give it once")
    }
    let name = try OnCommand.name(operand)
    guard let file = HandlerFile.all(in: folders.all).first(where: { $0.name == name }) else {
      Output.message("there is no handler \(name.quotedForPeople): 'notify-bridge on list' names them")
      return .failure
    }
    do throws(HandlerError) {
      guard let handler = try file.handler() else {
        Output.message("\(file.path.quotedForPeople) turns the handler off")
        return .failure
      }
      let response = response(for: handler, arguments, invocation)
      if !handler.matches(response) {
        Output.message("the bridge would not run it for such a response: its conditions do not fit")
      }
      return run(handler, response, home: folders.home)
    } catch {
      Output.message(error.description)
      return .failure
    }
  }

  /// A response that fits the handler's conditions, unless something else was asked for.
  static func response(
    for handler: Handler, _ arguments: ParsedArguments, _ invocation: Invocation
  ) -> ResponseRecord {
    let application =
      arguments["app"] ?? handler.applications.first
      ?? Identity.application(app: nil, environment: invocation.environment).identifier
    var content = ContentRecord()
    content.title = "Test"
    content.body = "A response that was made up by notify-bridge on test"
    content.categoryIdentifier = arguments["category"] ?? handler.categories.first ?? ""
    let action = arguments["action"] ?? handler.actions.first ?? "default"
    return ResponseRecord(
      notification: NotificationRecord(
        application: ApplicationRecord(identifier: application, name: application),
        request: RequestRecord(identifier: "test", content: content), date: Date()),
      action: action == "default" ? .default : action == "dismiss" ? .dismiss : .custom(action),
      text: arguments["reply"])
  }

  private static func run(_ handler: Handler, _ response: ResponseRecord, home: String) -> ExitStatus {
    let variables = HandlerInput.inherited(environment()).merging(HandlerInput.variables(response)) { $1 }
    let command = Command(
      handler.command[0], Array(handler.command.dropFirst()), environment: variables, workingDirectory: home,
      input: HandlerInput.document(response), timeLimit: handler.timeout ?? .seconds(30))
    return Host.wait(on: QueueExecutor()) {
      do throws(CommandError) {
        return report(try await ChildProcess.run(command), handler.name)
      } catch {
        Output.message("the handler \(handler.name.quotedForPeople) was not run: \(error)")
        return .failure
      }
    }
  }

  private static func report(_ result: CommandResult, _ name: String) -> ExitStatus {
    if let output = result.output {
      Output.write(output.standardOutput, to: STDOUT_FILENO)
      Output.write(output.standardError, to: STDERR_FILENO)
      if output.dropped > 0 { Output.message("\(output.dropped) bytes of its output were left out") }
    }
    let ending =
      switch result.ending {
      case .exited(let status): "ended with status \(status)"
      case .signalled(let number): "was ended by signal \(number)"
      case .timedOut: "was ended since its time was over"
      }
    Output.message("the handler \(name.quotedForPeople) \(ending)")
    return result.ending == .exited(0) ? .success : .failure
  }

  /// All variables of this process.
  static func environment() -> [String: String] {
    var result: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty { result[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return result
  }
}

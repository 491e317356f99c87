internal import ExtensionHost
internal import NotificationBridge

/// `extension install` and `extension remove`.
enum ExtensionInstall {
  static func run(
    _ folder: String, _ arguments: ParsedArguments, _ invocation: Invocation, _ folders: ExtensionFolders
  ) throws(UsageError) -> ExitStatus {
    let application = try ExtensionCommand.application(arguments, invocation, "install")
    guard let bundle = ExtensionCheck.read(folder) else { return .failure }
    _ = try ExtensionCommand.name(bundle.name)
    let path: String
    do throws(BundleInstaller.Fault) {
      path = try BundleInstaller(folders).install(bundle, for: application, replaces: arguments.has("replace"))
    } catch {
      Output.message(error.message)
      return error.isThere ? .usage : .failure
    }
    Output.result(path)
    // What is in its way, now that it is there.
    let problems = ExtensionCatalog(folders).extensions(of: application).problems.filter {
      $0.isFatal && ($0.path == path || $0.others.contains(path))
    }
    for problem in problems { Output.message(problem.description) }
    return problems.isEmpty ? .success : .failure
  }

  static func remove(
    _ operands: [String], _ arguments: ParsedArguments, _ invocation: Invocation, _ folders: ExtensionFolders
  ) throws(UsageError) -> ExitStatus {
    if operands.isEmpty {
      throw UsageError("extension remove needs the name of an extension; 'extension list' names them")
    }
    let application = try ExtensionCommand.application(arguments, invocation, "remove")
    var names: [String] = []
    for operand in operands { names.append(try ExtensionCommand.name(operand)) }
    var status = ExitStatus.success
    for name in names {
      do throws(BundleInstaller.Fault) {
        try BundleInstaller(folders).remove(name, of: application)
      } catch {
        status = .failure
        let others = ExtensionCatalog(folders).extensions(of: application).bundles
        if error.isMissing, let other = others.first(where: { $0.name == name }) {
          Output.message("\(name.quotedForPeople) is the system's, \(other.path.quotedForPeople)")
        } else {
          Output.message(error.message)
        }
        continue
      }
      if let other = ExtensionCatalog(folders).extensions(of: application).bundles.first(where: { $0.name == name }) {
        Output.message("\(other.path.quotedForPeople) counts again")
      }
    }
    return status
  }
}

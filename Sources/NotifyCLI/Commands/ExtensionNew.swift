internal import ExtensionHost
internal import Glibc
internal import NotificationBridge

/// `extension new`: a folder with a template.
enum ExtensionNew {
  static func run(
    _ operands: [String], _ arguments: ParsedArguments, _ invocation: Invocation
  ) throws(UsageError) -> ExitStatus {
    guard let operand = operands.first, operands.count == 1 else {
      throw UsageError("extension new needs one name: it makes a folder of that name")
    }
    for (one, other) in [("service", "content"), ("shell", "swift")] where arguments.has(one) && arguments.has(other) {
      throw UsageError("--\(one) and --\(other) exclude each other")
    }
    let name = try ExtensionCommand.name(operand)
    let isContent = arguments.has("content")
    let isSwift = arguments.has("swift")
    let categories = arguments.all("category")
    if categories.contains("") { throw UsageError("--category is empty") }
    if isContent, categories.isEmpty {
      throw UsageError("a content extension draws categories: give one or more --category NAME")
    }
    if !isContent, let category = categories.first {
      throw UsageError("a service extension has no categories: --category \(category.quotedForPeople)")
    }
    if !isSwift, arguments.has("package") { throw UsageError("--package is for --swift") }
    let named = arguments["app"] ?? invocation.environment["NOTIFY_BRIDGE_APP_ID"] ?? ""
    let template = ExtensionTemplate(
      name: name, application: named.isEmpty ? nil : try ExtensionCommand.application(named), isContent: isContent,
      categories: categories, package: arguments["package"].map(FileInput.absolute))
    return write(isSwift ? template.swiftFiles : template.shellFiles, to: name)
  }

  private static func write(_ files: [ExtensionTemplate.File], to folder: String) -> ExitStatus {
    func fail(_ path: String) -> ExitStatus {
      Output.message("\(path.quotedForPeople) cannot be made: \(unsafe String(cString: strerror(errno)))")
      return .failure
    }
    guard unsafe mkdir(folder, 0o777) == 0 else {
      if errno != EEXIST { return fail(folder) }
      Output.message("there is \(folder.quotedForPeople) already: give another name, or remove it")
      return .usage
    }
    for file in files {
      var path = folder
      for part in file.path.split(separator: "/").dropLast() {
        path += "/" + part
        if unsafe mkdir(path, 0o777) != 0, errno != EEXIST { return fail(path) }
      }
      path = folder + "/" + file.path
      let descriptor = unsafe open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.isProgram ? 0o777 : 0o666)
      guard descriptor >= 0 else { return fail(path) }
      let isWritten = Output.write(file.text, to: descriptor)
      guard close(descriptor) == 0, isWritten else { return fail(path) }
      Output.result(path)
    }
    return .success
  }
}

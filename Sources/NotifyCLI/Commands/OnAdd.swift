internal import DesktopServices
internal import Glibc
internal import NotificationBridge

/// `on add` and `on remove`: the files of the user's handlers.
enum OnAdd {
  static func run(
    _ operands: [String], _ arguments: ParsedArguments, _ invocation: Invocation, _ folders: HandlerFolders
  ) throws(UsageError) -> ExitStatus {
    if let number = invocation.repaired.first {
      throw UsageError("argument \(number) is not UTF-8 text, which a handler's file is: the program would get another")
    }
    let handler = try handler(operands, arguments)
    let file = folders.user + "/" + handler.name + ".handler"
    do throws(FileFault) {
      try write(handler.text, to: file, in: folders.user, replaces: arguments.has("replace"))
    } catch {
      Output.message(error.message)
      return error.isThere ? .usage : .failure
    }
    note(handler, invocation)
    let others = HandlerFile.all(in: folders.system).filter { $0.name == handler.name }
    if let other = others.first { Output.message("it counts instead of \(other.path.quotedForPeople)") }
    return .success
  }

  /// What is to be written.
  static func handler(_ operands: [String], _ arguments: ParsedArguments) throws(UsageError) -> Handler {
    guard let first = operands.first else { throw UsageError("on add needs a name: on add NAME -- PROGRAM [ARG…]") }
    let name = try OnCommand.name(first)
    guard operands.count > 1 else {
      throw UsageError("on add needs the program: on add \(name) -- PROGRAM [ARG…]")
    }
    var command = Array(operands.dropFirst())
    if command[0].isEmpty { throw UsageError("the program's name is empty") }
    // The bridge runs elsewhere: a path of here has to be one from the root.
    if command[0].contains("/") { command[0] = FileInput.absolute(command[0]) }
    var handler = Handler(
      name: name, command: command, applications: arguments.all("app"), categories: arguments.all("category"),
      actions: arguments.all("action"))
    for (option, values) in [
      ("app", handler.applications), ("category", handler.categories), ("action", handler.actions),
    ] where values.contains("") { throw UsageError("--\(option) is empty") }
    if let text = arguments["timeout"] {
      guard let time = TimeSpan.duration(text) else {
        throw UsageError(
          "--timeout \(text.quotedForPeople) is no time up to a day: give seconds, or a number with ms, s, m or h")
      }
      handler.timeout = time
    }
    return handler
  }

  /// A program that is not there is no error: it may come, and the bridge's `PATH` is not ours.
  private static func note(_ handler: Handler, _ invocation: Invocation) {
    let command = Command(handler.command[0], environment: OnTest.environment())
    do throws(CommandError) {
      let path = try command.programPath()
      if unsafe access(path, X_OK) != 0 { Output.message("\(path.quotedForPeople) cannot be executed now") }
    } catch {
      Output.message("\(error); the bridge will look for it as well")
    }
  }

  static func remove(_ operands: [String], _ folders: HandlerFolders) throws(UsageError) -> ExitStatus {
    if operands.isEmpty { throw UsageError("on remove needs the name of a handler; 'on list' names them") }
    var names: [String] = []
    for operand in operands { names.append(try OnCommand.name(operand)) }
    var status = ExitStatus.success
    for name in names {
      let file = folders.user + "/" + name + ".handler"
      let others = HandlerFile.all(in: folders.system).filter { $0.name == name }
      if unsafe unlink(file) == 0 {
        if let other = others.first { Output.message("\(other.path.quotedForPeople) counts again") }
        continue
      }
      status = .failure
      if errno != ENOENT, errno != ENOTDIR {
        Output.message("\(file.quotedForPeople) cannot be removed: \(unsafe String(cString: strerror(errno)))")
      } else if let other = others.first {
        Output.message(
          "\(name.quotedForPeople) is the system's, \(other.path.quotedForPeople): an empty file "
            + "\(file.quotedForPeople) turns it off")
      } else {
        Output.message("there is no handler \(name.quotedForPeople) in \(folders.user.quotedForPeople)")
      }
    }
    return status
  }

  // MARK: Files

  private struct FileFault: Error {
    let message: String
    var isThere = false
  }

  /// Whoever reads it meanwhile finds the old file or the new one, never a part.
  private static func write(
    _ text: String, to file: String, in folder: String, replaces: Bool
  ) throws(FileFault) {
    func fault(_ what: String) -> FileFault {
      FileFault(message: "\(what) cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
    try makeFolder(folder)
    var template = Array((folder + "/.new.XXXXXX").utf8CString)
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      // Its file is 0600. The text has an end, so that there is an address.
      unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw fault(folder.quotedForPeople) }
    let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = unsafe unlink(temporary) }
    let isWritten = Output.write(text, to: descriptor) && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten else { throw fault(file.quotedForPeople) }
    if replaces {
      guard unsafe rename(temporary, file) == 0 else { throw fault(file.quotedForPeople) }
      return
    }
    // Unlike rename, link takes nothing's place.
    guard unsafe link(temporary, file) == 0 else {
      guard errno == EEXIST else { throw fault(file.quotedForPeople) }
      throw FileFault(message: "there is \(file.quotedForPeople) already: --replace takes its place", isThere: true)
    }
  }

  private static func makeFolder(_ folder: String) throws(FileFault) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      if unsafe mkdir(path, 0o700) != 0, errno != EEXIST, unsafe access(path, F_OK) != 0 {
        throw FileFault(
          message: "the folder \(path.quotedForPeople) cannot be made: \(unsafe String(cString: strerror(errno)))")
      }
    }
  }
}

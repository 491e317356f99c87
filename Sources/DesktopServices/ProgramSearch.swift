internal import Glibc

extension Command {
  /// The program's absolute path. An absolute one is taken as it is; a name with a slash that is not absolute never is.
  /// - Throws: ``CommandError`` with code `programNotFound`, its message saying where was looked, or `invalid`.
  public func programPath() throws(CommandError) -> String {
    if program.utf8.contains(0) { throw CommandError(.invalid, "the program's name has a NUL") }
    if program.hasPrefix("/") { return program }
    if program.isEmpty || program.utf8.contains(UInt8(ascii: "/")) {
      throw CommandError(.programNotFound, "the program '\(program)' is neither an absolute path nor a name")
    }
    let path = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.standardPath
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let candidate = folder + "/" + program
      if Self.isExecutable(String(candidate)) { return String(candidate) }
    }
    throw CommandError(.programNotFound, "there is no program '\(program)' in \(path)")
  }

  /// True for a regular file that we may execute.
  static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return unsafe access(path, X_OK) == 0
  }

  /// Nil, or why no program can be given these words.
  func fault() -> String? {
    if arguments.contains(where: { $0.utf8.contains(0) }) { return "an argument has a NUL" }
    for (name, value) in environment {
      if name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) || name.utf8.contains(0) {
        return "'\(name)' is no name of a variable"
      }
      if value.utf8.contains(0) { return "the variable \(name) has a NUL" }
    }
    if let workingDirectory, !workingDirectory.hasPrefix("/") || workingDirectory.utf8.contains(0) {
      return "the working directory '\(workingDirectory)' is not absolute"
    }
    return nil
  }
}

internal import DesktopServices

/// The handlers in the user's folder and those of the system. What changed in the folders counts at the next response.
struct HandlerFolder: Sendable {
  private let folders: [String]
  private var stamps: [String] = []
  /// In the order in which they are asked.
  private(set) var handlers: [Handler] = []
  /// What is wrong, a sentence each.
  private(set) var problems: [String] = []

  /// - Parameter folders: the most important first.
  init(_ folders: [String]) { self.folders = folders }

  /// Reads the folders, if anything in them changed since.
  /// - Returns: whether they were read.
  mutating func refresh() -> Bool {
    let files = HandlerFile.all(in: folders).filter { !$0.isOverridden }
    let stamps = files.map { "\($0.path) \(FileMark.text($0.path))" }
    guard stamps != self.stamps || self.stamps.isEmpty && !files.isEmpty else { return false }
    self.stamps = stamps
    handlers = []
    problems = []
    for file in files {
      do throws(HandlerError) {
        if let handler = try file.handler() { handlers.append(handler) }
      } catch {
        problems.append(error.description)
      }
    }
    return true
  }
}

public import NotificationBridge

/// A program that is run when somebody acts on a notification.
///
/// Source: notify-bridge.conf(5), "Handlers".
public struct Handler: Sendable, Hashable {
  /// The name of its file without `.handler`.
  public var name: String
  /// The program and its arguments.
  public var command: [String]
  /// Empty: all.
  public var applications: [String]
  public var categories: [String]
  public var actions: [String]
  /// Nil: as the configuration says.
  public var timeout: Duration?

  public init(
    name: String, command: [String], applications: [String] = [], categories: [String] = [], actions: [String] = [],
    timeout: Duration? = nil
  ) {
    self.name = name
    self.command = command
    self.applications = applications
    self.categories = categories
    self.actions = actions
    self.timeout = timeout
  }

  private static let keys: Set<String> = ["Exec", "Application", "Category", "Action", "Timeout", "Disabled"]

  /// Reads a file's text; nil for one that turns the handler off.
  init?(text: String, name: String) throws(HandlerText.Fault) {
    let content = try HandlerText(text)
    if content.isEmpty { return nil }
    if try content.boolean("Disabled") == true { return nil }
    let unknown = content.entries.filter { !Self.keys.contains($0.key) }
    if let (key, entry) = unknown.min(by: { $0.value.line < $1.value.line }) {
      let known = Self.keys.sorted().joined(separator: ", ")
      throw HandlerText.Fault(line: entry.line, message: "unknown key \(key.quotedForPeople); known are \(known)")
    }
    guard let exec = try content.string("Exec"), !exec.isEmpty else {
      throw HandlerText.Fault(
        line: content.entries["Exec"]?.line ?? content.groupLine,
        message: "Exec is missing: which program is to be run?")
    }
    do throws(ExecError) {
      command = try ExecLine.split(exec)
    } catch {
      throw HandlerText.Fault(
        line: content.entries["Exec"]?.line ?? content.groupLine, message: "Exec: \(error.message)")
    }
    applications = try content.strings("Application")
    categories = try content.strings("Category")
    actions = try content.strings("Action")
    if let text = try content.string("Timeout") {
      guard let time = TimeSpan.duration(text) else {
        throw HandlerText.Fault(
          line: content.entries["Timeout"]?.line ?? content.groupLine,
          message: "Timeout is \(text.quotedForPeople), which is no time: give seconds, or a number with ms, s, m, h")
      }
      timeout = time
    }
    self.name = name
  }

  /// The text of its file.
  public var text: String {
    var lines = ["[\(HandlerText.group)]", "Exec=" + HandlerText.escaped(ExecLine.text(command))]
    for (key, values) in [("Application", applications), ("Category", categories), ("Action", actions)] {
      if values.isEmpty { continue }
      lines.append(key + "=" + values.map { HandlerText.escaped($0, isElement: true) + ";" }.joined())
    }
    if let timeout { lines.append("Timeout=" + TimeSpan.text(timeout)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether it is meant for a response.
  public func matches(_ response: ResponseRecord) -> Bool {
    let request = response.notification.request
    func fits(_ list: [String], _ value: String) -> Bool { list.isEmpty || list.contains(value) }
    return fits(applications, response.notification.application.identifier)
      && fits(categories, request.content.categoryIdentifier) && fits(actions, response.action.word)
  }
}

/// Why a handler's file cannot be used.
public struct HandlerError: Error, Sendable, Hashable, CustomStringConvertible {
  public let file: String
  /// From 1; nil when it is about the whole file.
  public let line: Int?
  public let message: String

  public var description: String { file + (line.map { ": line \($0)" } ?? "") + ": " + message }
}

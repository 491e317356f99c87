internal import DBus
internal import FreedesktopNotifications
internal import Glibc

/// The call that a `notify-send` command line makes.
struct NotifySendRequest: Sendable, Hashable {
  /// All but the actions, which depend on what the daemon can do.
  private var notification: Notification
  private let expireTime: Int32

  /// Why there is no call.
  struct Fault: Error, Hashable {
    /// A sentence for standard error.
    var message: String
    /// The real program reports it and goes on to its end; at any other fault it ends itself with a signal.
    var isReported = false
  }

  /// - Parameter processID: goes along as the hint `sender-pid`, unless one was typed.
  init(_ options: NotifySendOptions, processID: Int64) throws(Fault) {
    var hints = Hints()
    if !options.category.isEmpty {
      hints.set("category", .string(try Self.text(options.category, "category")))
    }
    hints.set("urgency", .byte(options.urgency.rawValue))
    if options.isTransient { hints.set("transient", .boolean(true)) }
    for typed in options.hints {
      do throws(NotifySendHint.Fault) {
        if let hint = try NotifySendHint.parse(typed) { hints.set(hint.name, hint.value) }
      } catch {
        throw Fault(message: error.message, isReported: error.isReported)
      }
    }
    hints.add("sender-pid", .int64(processID))
    notification = Notification(
      appName: try options.appName.map { bytes throws(Fault) in try Self.text(bytes, "application name") }
        ?? "notify-send",
      replacesID: options.replacesID,
      appIcon: try Self.text(options.icon, "icon"),
      summary: try Self.text(options.summary, "summary"),
      body: try Self.text(options.body, "body"),
      hints: hints.inOrder.map { Hint.other(name: $0.name, $0.value) })
    expireTime = options.expireTime
  }

  /// The arguments of `Notify`.
  func arguments(with actions: [Action]) -> [Value] {
    var notification = notification
    notification.actions = actions
    var arguments = notification.arguments
    // As typed: the specification knows one negative number, notify-send sends them all.
    arguments[arguments.count - 1] = .int32(expireTime)
    return arguments
  }

  /// The usable ones among the typed actions, in order, repeated keys kept; one without a name has its index as key,
  /// counted from 0 over all that were typed.
  static func actions(_ typed: [[UInt8]]) throws(Fault) -> [Action] {
    var actions: [Action] = []
    for (index, text) in typed.enumerated() {
      let parts = NotifySendWords.split(text, at: "=", limit: 2)
      guard let first = parts.first else { throw Fault(message: "an action is empty") }
      let key = parts.count == 1 ? Array(String(index).utf8) : NotifySendWords.trimmed(first)
      let label = NotifySendWords.trimmed(parts.count == 1 ? first : parts[1])
      if key.isEmpty || label.isEmpty { continue }
      actions.append(Action(key: try Self.text(key, "action"), label: try Self.text(label, "action")))
    }
    return actions
  }

  /// Checks text for the wire; later versions of the real program exit with 1 at what is no UTF-8, as this one does.
  private static func text(_ bytes: [UInt8], _ part: String) throws(Fault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault(message: "the \(part) is not UTF-8") }
    return text
  }

  /// Hints by name; the last value of a name counts.
  private struct Hints {
    var inOrder: [(name: String, value: Value)] = []

    mutating func set(_ name: String, _ value: Value) {
      if let index = inOrder.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
        inOrder[index].value = value
      } else {
        inOrder.append((name, value))
      }
    }

    /// Sets a hint that nobody set before.
    mutating func add(_ name: String, _ value: Value) {
      if !inOrder.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { inOrder.append((name, value)) }
    }
  }
}

internal import NotificationBridge

/// What the verbs that ask the resident bridge share.
enum BridgeVerbs {
  static let app = OptionSpec(
    "app", short: "a", value: "ID", "the application whose notifications are meant, as for send")
  static let allApps = OptionSpec("all-apps", "those of all applications")
  static let json = OptionSpec("json", "print results as JSON, one object a line")

  /// The identifier of the application that is meant.
  static func application(_ arguments: ParsedArguments, _ invocation: Invocation) -> String {
    Identity.application(app: arguments["app"], environment: invocation.environment).identifier
  }

  /// The same, or empty for all.
  static func applications(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> String {
    guard arguments.has("all-apps") else { return application(arguments, invocation) }
    if arguments.has("app") { throw UsageError("--app and --all-apps exclude each other") }
    return ""
  }

  /// The notification that a verb's one operand names.
  static func key(
    _ arguments: ParsedArguments, _ invocation: Invocation, _ verb: String
  ) throws(UsageError) -> NotificationKey {
    try limit(arguments, 1, verb)
    return NotificationKey(
      application: application(arguments, invocation), identifier: try identifier(arguments, verb))
  }

  /// The identifier that a verb's first operand is.
  static func identifier(_ arguments: ParsedArguments, _ verb: String) throws(UsageError) -> String {
    guard let identifier = arguments.operands.first, !identifier.isEmpty else {
      throw UsageError("\(verb) needs the identifier of a notification: what send was given as --id, or printed")
    }
    return identifier
  }

  /// Refuses operands beyond so many.
  static func limit(_ arguments: ParsedArguments, _ count: Int, _ verb: String) throws(UsageError) {
    guard arguments.operands.count > count else { return }
    let extra = arguments.operands[count].quotedForPeople
    throw UsageError(count == 0 ? "\(verb) takes no arguments: \(extra)" : "too many arguments for \(verb): \(extra)")
  }

  /// A whole number in a range.
  static func number(_ text: String, _ option: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option) \(text.quotedForPeople) is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

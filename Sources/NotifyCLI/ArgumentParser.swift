/// One option of a verb: the source of parsing, help, man page check and completions.
struct OptionSpec: Sendable {
  let long: String
  var short: Character?
  /// What the value is called in help; nil: a switch.
  var value: String?
  var isRepeatable = false
  /// What a shell may offer.
  var completion = Completion.none
  let help: String

  /// What a shell may offer as the value.
  enum Completion: Sendable { case none, file, words([String]) }

  init(
    _ long: String, short: Character? = nil, value: String? = nil, repeats: Bool = false,
    completes: Completion = .none, _ help: String
  ) {
    self.long = long
    self.short = short
    self.value = value
    isRepeatable = repeats
    completion = completes
    self.help = help
  }
}

/// One verb.
struct CommandSpec: Sendable {
  let name: String
  let summary: String
  /// The operands as the usage line shows them.
  var operands = ""
  /// Further text of the help.
  var details = ""
  private let makeOptions: @Sendable () -> [OptionSpec]

  /// Made when they are asked for: a command line without options costs a start nothing for them.
  var options: [OptionSpec] { makeOptions() }

  init(
    name: String, summary: String, operands: String = "",
    options: @escaping @autoclosure @Sendable () -> [OptionSpec] = [], details: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.details = details
    makeOptions = options
  }
}

/// What the user typed for a verb.
struct ParsedArguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts arguments into options and operands. Options may follow operands; `--` ends options.
  init(_ arguments: [String], for command: CommandSpec) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2), &rest, command)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeShort(argument.dropFirst(), &rest, command)
      } else {
        operands.append(argument)
      }
    }
  }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { values[option] != nil }
  /// An option's value; the last one counts.
  subscript(_ option: String) -> String? { values[option]?.last }
  /// All values of an option, in order.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  private mutating func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ command: CommandSpec
  ) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.long == name }) else {
      throw UsageError("unknown option '--\(name)'" + Self.suggestion(name, command))
    }
    guard option.value != nil else {
      if parts.count == 2 { throw UsageError("option '--\(name)' takes no value") }
      return record(option, "")
    }
    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("option '--\(name)' needs a value: --\(name) \(option.value ?? "")")
    }
    record(option, value)
  }

  private mutating func takeShort(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ command: CommandSpec
  ) throws(UsageError) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.short == letter }) else {
        throw UsageError("unknown option '-\(letter)'")
      }
      guard option.value != nil else {
        record(option, "")
        continue
      }
      guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
        throw UsageError("option '-\(letter)' needs a value: --\(option.long) \(option.value ?? "")")
      }
      return record(option, value)
    }
  }

  private mutating func record(_ option: OptionSpec, _ value: String) {
    if option.isRepeatable {
      values[option.long, default: []].append(value)
    } else {
      values[option.long] = [value]
    }
  }

  /// The option that was meant, if one is near.
  private static func suggestion(_ name: String, _ command: CommandSpec) -> String {
    let near = command.options.map { (distance($0.long, name), $0.long) }.min { $0.0 < $1.0 }
    guard let near, near.0 <= 2 else { return "" }
    return "; did you mean '--\(near.1)'?"
  }

  /// How many letters have to be changed, added or taken away.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[right.count]
  }
}

/// A wrong call: a message that names the input and the remedy.
struct UsageError: Error, Sendable, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

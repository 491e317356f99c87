/// An entry of a `.stringsdict`: a text with variables, each of which has a form for every kind of number.
///
/// `%#@name@` stands for a variable and `%2$#@name@` for one that goes by the second argument; without a number each
/// goes by the next. Within a variable's forms `%d`, `%@` and `%arg` are its own argument. Arguments are values and put
/// in as text: no conversion reads anything else, and those of pointers and characters stay as they are.
public struct PluralFormat: Sendable, Hashable {
  private struct Variable: Sendable, Hashable {
    var forms: [String: String]
    /// It is for numbers with decimals: others are cut to whole ones.
    var hasDecimals: Bool
  }

  private let format: String
  private var variables: [String: Variable] = [:]
  private let rules: PluralRules

  /// How many variables are filled in at most: forms may name each other.
  private static let limit = 64

  /// - Parameters:
  ///   - entry: the dictionary of a key.
  ///   - language: whose rules choose the form.
  /// - Returns: nil if it has no text.
  public init?(_ entry: PropertyValue, language: String) {
    rules = PluralRules(language: language)
    switch entry {
    case .string(let text): format = text
    case .dictionary(let entries):
      guard let text = Self.format(entries) else { return nil }
      format = text
      for (name, value) in entries {
        guard case .dictionary(let parts) = value else { continue }
        var forms: [String: String] = [:]
        for case (let key, .string(let form)) in parts where !key.hasPrefix("NSString") { forms[key] = form }
        var type = ""
        if case .string(let text)? = parts["NSStringFormatValueTypeKey"] { type = text }
        variables[name] = Variable(forms: forms, hasDecimals: type.contains { "fFeEgGaA".contains($0) })
      }
    default: return nil
    }
  }

  /// The text itself, or the longest of several widths, or the one that is for a desktop.
  private static func format(_ entries: [String: PropertyValue]) -> String? {
    if case .string(let text)? = entries["NSStringLocalizedFormatKey"] { return text }
    if case .dictionary(let widths)? = entries["NSStringVariableWidthRuleType"] {
      let widest = widths.max { (Int($0.key) ?? 0, $0.key) < (Int($1.key) ?? 0, $1.key) }
      if case .string(let text)? = widest?.value { return text }
    }
    if case .dictionary(let devices)? = entries["NSStringDeviceSpecificRuleType"] {
      for name in ["mac", "other"] { if case .string(let text)? = devices[name] { return text } }
    }
    return nil
  }

  /// The text for arguments. What is missing is empty.
  public func fill(_ arguments: [PropertyValue]) -> String {
    var filling = Filling(arguments: arguments)
    return expand(format, own: nil, &filling)
  }

  private struct Filling {
    let arguments: [PropertyValue]
    var next = 0
    var count = 0

    /// - Parameter place: from 1; nil: the next one.
    mutating func argument(_ place: Int?) -> PropertyValue {
      if place == nil { next += 1 }
      let index = (place ?? next) - 1
      return arguments.indices.contains(index) ? arguments[index] : .null
    }
  }

  /// - Parameter own: the argument of the variable whose form `format` is.
  private func expand(_ format: String, own: PropertyValue?, _ filling: inout Filling) -> String {
    var result = ""
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...]
      guard let place = FormatPlace(rest) else {
        result += "%"
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(place.length)
      switch place.kind {
      case .percent: result += "%"
      case .variable(let name):
        filling.count += 1
        guard let variable = variables[name], filling.count <= Self.limit else { break }
        let argument = filling.argument(place.argument)
        if let form = form(of: variable, argument) { result += expand(form, own: argument, &filling) }
      case .whole, .value:
        let value = (place.argument == nil ? own : nil) ?? filling.argument(place.argument)
        result += Self.text(value, place.kind)
      }
    }
    return result + rest
  }

  private func form(of variable: Variable, _ argument: PropertyValue) -> String? {
    let number = Self.number(argument, hasDecimals: variable.hasDecimals)
    // Apple takes "zero" for nothing at all in every language.
    if number?.isZero == true, let form = variable.forms["zero"] { return form }
    let category = number.map(rules.category) ?? .other
    return variable.forms[category.rawValue] ?? variable.forms["other"]
  }

  private static func number(_ argument: PropertyValue, hasDecimals: Bool) -> PluralNumber? {
    switch argument {
    case .boolean(let flag): return PluralNumber(flag ? 1 : 0)
    case .integer(let number): return PluralNumber(number)
    case .double(let number):
      if hasDecimals { return PluralNumber(argument.localizedArgument) }
      return Int64(exactly: number.rounded(.towardZero)).map { PluralNumber($0) }
    case .string(let text):
      if hasDecimals { return PluralNumber(text) }
      return PluralNumber(String(text.prefix { $0 != "." }))
    default: return nil
    }
  }

  private static func text(_ argument: PropertyValue, _ kind: FormatPlace.Kind) -> String {
    if kind == .whole, case .double(let number) = argument {
      return PropertyValue.double(number.rounded(.towardZero)).localizedArgument
    }
    let number: Double? =
      switch argument {
      case .integer(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard case .value(let decimals?) = kind, let number, number.magnitude < 1e12 else {
      return argument.localizedArgument
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    // Within 1e18 by the limits of both.
    let scaled = Int64((number.magnitude * scale).rounded())
    let digits = "\(scaled)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
  }
}

/// A place in a format: `%[n$][flags][width][.decimals][length]conversion`.
struct FormatPlace {
  enum Kind: Equatable {
    case percent
    case variable(String)
    /// Without decimals: they are cut off.
    case whole
    /// - Parameter decimals: 0…6; nil: as the value has them.
    case value(decimals: Int?)
  }

  var kind: Kind
  /// Which argument, from 1; nil: none is named.
  var argument: Int?
  /// How many characters it takes.
  var length: Int

  /// - Parameter text: begins with a percent sign.
  /// - Returns: nil for what is no place.
  init?(_ text: Substring) {
    var rest = text.dropFirst()
    var argument: Int?
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, rest.dropFirst(digits.count).first == "$" {
      guard let number = Int(digits) else { return nil }
      argument = number
      rest = rest.dropFirst(digits.count + 1)
    }
    let kind: Kind
    if rest.first == "%", argument == nil {
      kind = .percent
      rest = rest.dropFirst()
    } else if rest.hasPrefix("#@"), let end = rest.dropFirst(2).firstIndex(of: "@") {
      kind = .variable(String(rest[..<end].dropFirst(2)))
      rest = rest[end...].dropFirst()
    } else if rest.hasPrefix("arg") {
      kind = .value(decimals: nil)
      rest = rest.dropFirst(3)
    } else {
      rest = rest.drop { "-+ 0#,'".contains($0) }.drop { $0.isASCII && $0.isNumber }
      var decimals: Int?
      if rest.first == "." {
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        decimals = min(Int(digits) ?? (digits.isEmpty ? 0 : 6), 6)
        rest = rest.dropFirst(1 + digits.count)
      }
      rest = rest.drop { "hlqLzjt".contains($0) }
      switch rest.first {
      case "@": kind = .value(decimals: nil)
      case "d", "i", "u", "D", "U": kind = .whole
      case "f", "F": kind = .value(decimals: decimals ?? 6)
      case "e", "E", "g", "G": kind = .value(decimals: nil)
      default: return nil
      }
      rest = rest.dropFirst()
    }
    self.kind = kind
    self.argument = argument
    length = text.distance(from: text.startIndex, to: rest.startIndex)
  }
}

/// Arguments put into the places of an application's text. Nothing is ever read that is not there.
///
/// Source: Apple, "Payload key reference": `%@` is the next argument, `%n$@` the nth.
public enum FormatFiller {
  /// `%%` is a percent sign; every other use of one stays as it is, and a missing argument is empty.
  public static func fill(_ format: String, _ arguments: [String]) -> String {
    var result = ""
    var rest = Substring(format)
    var position = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if rest.hasPrefix("%") {
        result += "%"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("@") {
        result += arguments.indices.contains(position) ? arguments[position] : ""
        position += 1
        rest = rest.dropFirst()
      } else if let number = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
        result += number > 0 && arguments.indices.contains(number - 1) ? arguments[number - 1] : ""
        rest = rest.dropFirst(digits.count + 2)
      } else {
        result += "%"
      }
    }
    return result + rest
  }
}

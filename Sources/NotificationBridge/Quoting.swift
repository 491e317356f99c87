public import DBus

extension String {
  /// Text from a peer or a user, made fit for one line of a message: quoted, control characters visible, cut after
  /// 80 characters.
  public var quotedForPeople: String { "'" + visible(limit: 80) + "'" }

  /// The same without quotation marks, and as long as it is: a path that a message begins with.
  public var visibleForPeople: String { visible(limit: .max) }

  private func visible(limit: Int) -> String {
    var result = ""
    for (index, character) in self.enumerated() {
      if index == limit { return result + "…" }
      for scalar in character.unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        if isControl || scalar.properties.generalCategory == .format {
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}

extension HintRecord.Value {
  /// The value with its one wire type; NUL, which the bus does not carry, is taken out of text.
  public var wireValue: Value {
    switch self {
    case .boolean(let flag): .boolean(flag)
    case .int32(let number): .int32(number)
    case .byte(let number): .byte(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text.utf8.contains(0) ? String(text.filter { $0 != "\0" }) : text)
    }
  }
}

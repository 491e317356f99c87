import FoundationEssentials
import NotificationBridge

/// Appends values to JSON text. See ``JSONText``.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(512) }

  private mutating func object(_ entries: [String: PropertyValue], depth: Int) throws(BridgeError) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in entries {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      string(name)
      bytes.append(UInt8(ascii: ":"))
      try self.value(value, depth: depth + 1)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func array(_ elements: [PropertyValue], depth: Int) throws(BridgeError) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      try value(element, depth: depth + 1)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func value(_ value: PropertyValue, depth: Int) throws(BridgeError) {
    if depth > JSONText.depthLimit {
      throw BridgeError(.store, "values nested more than \(JSONText.depthLimit) deep cannot be kept")
    }
    switch value {
    case .null: plain("null")
    case .boolean(let flag): plain(flag ? "true" : "false")
    case .integer(let number): plain(number.description)
    case .double(let number): double(number)
    case .string(let text): string(text)
    case .date(let date): tagged(JSONText.date) { $0.double(date.timeIntervalSinceReferenceDate) }
    case .data(let data): tagged(JSONText.data) { $0.string(data.base64EncodedString()) }
    case .array(let elements): try array(elements, depth: depth)
    case .dictionary(let entries):
      let looksTagged =
        entries.count == 1 && entries.keys.first?.utf8.first == UInt8(ascii: "$") || entries[JSONText.object] != nil
      if looksTagged { plain("{\"\(JSONText.object)\":") }
      try object(entries, depth: depth)
      if looksTagged { bytes.append(UInt8(ascii: "}")) }
    }
  }

  private mutating func tagged(_ tag: String, _ value: (inout JSONWriter) -> Void) {
    plain("{\"\(tag)\":")
    value(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func double(_ number: Double) {
    if number.isFinite {
      // The shortest text that is read as the same number; it has a point or an exponent.
      plain(number.description)
    } else {
      tagged(JSONText.number) { $0.string(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf") }
    }
  }

  private mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = unsafe utf8[index]
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
        unsafe bytes.append(contentsOf: utf8[start..<index])
        escape(byte)
        start = index + 1
      }
      unsafe bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): plain("\\\"")
    case UInt8(ascii: "\\"): plain("\\\\")
    case UInt8(ascii: "\n"): plain("\\n")
    case UInt8(ascii: "\t"): plain("\\t")
    case UInt8(ascii: "\r"): plain("\\r")
    default: plain(byte < 0x10 ? "\\u000" : "\\u00"); plain(String(byte, radix: 16))
    }
  }

  private mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

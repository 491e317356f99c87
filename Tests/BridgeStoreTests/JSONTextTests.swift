import Foundation
import NotificationBridge
import Testing

@testable import BridgeStore

@Suite("Documents as JSON text")
struct JSONTextTests {
  private func read(_ text: String) throws -> PropertyValue { try read(Array(text.utf8)) }

  private func read(_ text: [UInt8]) throws -> PropertyValue { try JSONText.read(text.span) }

  /// Equality to the last bit: of NaN, of both zeros, and of the spelling of text.
  private func same(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    switch (left, right) {
    case (.double(let left), .double(let right)):
      left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left.elementsEqual(right, by: same)
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in
          guard let index = right.index(forKey: key) else { return false }
          return right[index].key.utf8.elementsEqual(key.utf8) && same(value, right[index].value)
        }
    default: left == right
    }
  }

  @Test("Every value comes back as it was, to the last bit")
  func roundTrip() throws {
    var generator = RecordGenerator(seed: 21)
    for round in 0..<5_000 {
      let document = generator.dictionary()
      let text = try JSONText.write(document)
      #expect(!text.contains { $0 < 0x20 })
      let value = try read(text)
      try #require(same(value, .dictionary(document)), "round \(round): \(String(decoding: text, as: UTF8.self))")
      // It is JSON to others, too.
      _ = try JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
    }
    let special: [PropertyValue] = [
      .double(.nan), .double(-0.0), .double(1), .integer(1), .integer(.min), .integer(.max), .null,
      .date(Date(timeIntervalSinceReferenceDate: .infinity)), .data(Data()), .array([]), .dictionary([:]), .string(""),
      .dictionary(["$object": .dictionary(["$object": .dictionary(["$date": .double(1)]), "b": .integer(1)])]),
      .dictionary(["$object": .dictionary(["$date": .double(1)]), "b": .integer(1)]),
      .dictionary(["$unknown": .null]), .dictionary(["$date": .string("x"), "y": .null]),
    ]
    for value in special {
      let text = try JSONText.write(["v": value])
      #expect(same(try read(text), .dictionary(["v": value])), "\(value)")
    }
  }

  @Test("Other writers' JSON is read, too")
  func others() throws {
    #expect(
      try read(" [ 1 , -2.5e3 , true,false , null ] ")
        == .array([
          .integer(1), .double(-2_500), .boolean(true), .boolean(false), .null,
        ]))
    #expect(try read(#""\u00e9\ud83d\ude00\/\b\f\"\\""#) == .string("é😀/\u{8}\u{C}\"\\"))
    #expect(try read(#""\ud83d\u0041""#) == .string("\u{FFFD}A"))
    #expect(try read(#""\udc00""#) == .string("\u{FFFD}"))
    #expect(try read("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(try read("-9223372036854775808") == .integer(.min))
    #expect(try read([0x22, 0xC3, 0x22] as [UInt8]) == .string("\u{FFFD}"))
  }

  @Test(
    "What is no JSON is an error that names the place",
    arguments: [
      "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "\"", "\"\\",
      "\"\\u12",
      "\"\\x\"", "\"\\ud83d", "\"\\ud83d\\", "tru", "nul", "-", "+", ".", "1e", "--1", "1-1", "1.2.3", "1e999", "NaN",
      "1 2",
      "{}{}", "\u{FEFF}1", "{\"$date\":1}", "{\"$date\":\"x\"}", "{\"$data\":\"?\"}", "{\"$number\":\"x\"}",
      "{\"$object\":1}",
      "{\"$more\":1}",
    ])
  func malformed(text: String) throws {
    let error = #expect(throws: BridgeError.self) { try read(text) }
    #expect(error?.code == .store && error?.message.contains("byte") == true)
  }

  @Test("Deep nesting is refused on both ways")
  func depth() throws {
    func nested(_ depth: Int) -> PropertyValue {
      (0..<depth).reduce(.null) { value, _ in .dictionary(["$object": .array([value])]) }
    }
    for depth in [1, 50, 127] {
      let value = nested(depth)
      #expect(try read(try JSONText.write(["v": value])) == .dictionary(["v": value]))
    }
    #expect(throws: BridgeError.self) { try JSONText.write(["v": nested(128)]) }
    for opening in ["[", "{\"a\":", "{\"$object\":", "[{\"$object\":"] {
      #expect(throws: BridgeError.self) { try read(String(repeating: opening, count: 100_000)) }
    }
  }

  @Test("Changed and cut text never ends the program")
  func changed() throws {
    var generator = RecordGenerator(seed: 22)
    var texts: [[UInt8]] = []
    for _ in 0..<40 { texts.append(try JSONText.write(generator.request("x").document)) }
    var count = 0
    for _ in 0..<20_000 {
      var text = generator.pick(texts)
      for _ in 0..<Int.random(in: 1...3, using: &generator.numbers) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &generator.numbers)
        switch Int.random(in: 0..<3, using: &generator.numbers) {
        case 0: text[place] = generator.pick(Array("{}[]\",:\\0$-.eu ".utf8))
        case 1: text.removeSubrange(place...)
        default: text[place] = UInt8.random(in: 0...255, using: &generator.numbers)
        }
      }
      if case .dictionary(let document)? = try? read(text) {
        _ = try? RequestRecord(document: document, named: "request")
        count += 1
      }
    }
    #expect(count > 1_000)
  }
}

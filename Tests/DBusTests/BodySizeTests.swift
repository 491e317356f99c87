import Testing

@testable import DBus

@Suite("What can be sent is known before libdbus sees it")
struct BodySizeTests {
  /// The code of the error that `body` makes, nil if it can be sent.
  private func fault(_ body: [Value]) -> BusError.Code? {
    var size = BodySize()
    do throws(BusError) {
      try size.add(body)
      return nil
    } catch {
      return error.code
    }
  }

  private func size(_ body: [Value]) throws -> Int {
    var size = BodySize()
    try size.add(body)
    return size.offset
  }

  @Test("Bodies are as large as the specification's alignment makes them")
  func sizes() throws {
    #expect(try size([]) == 0)
    #expect(try size([.byte(1), .uint32(1)]) == 8)
    #expect(try size([.byte(1), .uint64(1)]) == 16)
    #expect(try size([.string("abc"), .string("")]) == 8 + 5)
    #expect(try size([.array(of: "t", [])]) == 8)
    #expect(try size([.bytes([1, 2, 3])]) == 7)
    #expect(try size([.byte(1), .structure([.byte(1), .int16(2)])]) == 12)
    #expect(try size([.properties([("a", .uint32(1))])]) == 8 + 6 + 3 + 3 + 4)
    #expect(try size([.variant(.double(1))]) == 16)
    #expect(try size([.signature("as"), .objectPath("/a")]) == 4 + 7)
  }

  @Test("Texts with NUL are refused wherever they stand")
  func nul() {
    let text = Value.string("a\0b")
    for value in [text, .variant(text), .strings(["a", "\0"]), .properties([("a\0", .byte(1))]), .structure([text])] {
      #expect(fault([value]) == .invalidValue)
    }
  }

  @Test("Elements of another type than the container's are refused")
  func mixed() {
    let wrong: [Value] = [
      .array(of: "s", [.string("a"), .uint32(1)]), .array(of: "as", [.strings([]), .array(of: "u", [])]),
      .dictionary(key: "s", value: "v", [.init(.string("a"), .string("b"))]),
      .dictionary(key: "s", value: "s", [.init(.uint32(1), .string("b"))]),
    ]
    for value in wrong { #expect(fault([value]) == .invalidValue, "\(value)") }
  }

  @Test("Malformed types are refused")
  func types() {
    let wrong: [Value] = [
      .array(of: "", []), .array(of: "ss", []), .array(of: Signature(unchecked: "{sv}"), []),
      .array(of: Signature(unchecked: "z"), []), .dictionary(key: "v", value: "s", []),
      .dictionary(key: "as", value: "s", []), .dictionary(key: "s", value: "", []),
      .dictionary(key: "ss", value: "s", []), .structure([]), .signature(Signature(unchecked: "a")),
      .objectPath(ObjectPath(unchecked: "a")), .variant(.structure([])),
      .variant(.array(of: Signature(unchecked: "\0"), [])),
    ]
    for value in wrong { #expect(fault([value]) == .invalidValue, "\(value)") }
  }

  @Test("Nesting is taken to the specification's limits and refused beyond")
  func nesting() {
    func variants(_ depth: Int) -> Value { (0..<depth).reduce(.byte(1)) { inner, _ in .variant(inner) } }
    func structs(_ depth: Int) -> Value { (0..<depth).reduce(.byte(1)) { inner, _ in .structure([inner]) } }
    func arrays(_ depth: Int) -> Value {
      (0..<depth).reduce(.byte(1)) { inner, _ in .array(of: inner.signature, [inner]) }
    }
    #expect(fault([variants(64)]) == nil)
    #expect(fault([variants(65)]) == .invalidValue)
    #expect(fault([variants(5000)]) == .invalidValue)
    #expect(fault([structs(32)]) == nil)
    #expect(fault([structs(33)]) == .invalidValue)
    #expect(fault([arrays(32)]) == nil)
    #expect(fault([arrays(33)]) == .invalidValue)
  }

  @Test("A body's signature may have 255 bytes and no more")
  func longSignature() {
    #expect(fault(Array(repeating: .byte(1), count: 255)) == nil)
    #expect(fault(Array(repeating: .byte(1), count: 256)) == .invalidValue)
    #expect(fault(Array(repeating: .strings([]), count: 128)) == .invalidValue)
  }

  @Test("An array over 64 MiB and more descriptors than any bus takes are too large")
  func tooLarge() throws {
    #expect(fault([.bytes(Array(repeating: 0, count: 1 << 26))]) == nil)
    #expect(fault([.bytes(Array(repeating: 0, count: (1 << 26) + 1))]) == .tooLarge)
    let descriptor = Value.unixFD(try OwnedDescriptor(duplicating: 0))
    #expect(fault(Array(repeating: descriptor, count: 16)) == nil)
    #expect(fault(Array(repeating: descriptor, count: 17)) == .tooLarge)
  }
}

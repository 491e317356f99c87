import DBus
import Testing

@Suite("Reading values that a peer sent")
struct ValueReadingTests {
  @Test("A reader of another type gives nil and never traps")
  func otherTypes() {
    let values: [Value] = [
      .byte(1), .boolean(true), .int64(-1), .uint64(.max), .double(.nan), .string(""), .bytes([1]), .strings(["a"]),
      .properties([("a", .byte(1))]), .structure([.byte(1)]), .variant(.variant(.byte(1))),
    ]
    for value in values {
      #expect((value.asString != nil) == (value.signature == "s"))
      #expect((value.asUInt32 != nil) == (value.signature == "u"))
      #expect((value.asInt32 != nil) == (value.signature == "i"))
      #expect((value.asBool != nil) == (value.signature == "b"))
      #expect((value.asBytes != nil) == (value.signature == "ay"))
      #expect((value.asStrings != nil) == (value.signature == "as"))
      #expect((value.asProperties != nil) == (value.signature == "a{sv}"))
      #expect((value.asStructure != nil) == (value.signature == "(y)"))
    }
  }

  @Test("Integers of any width are read where they fit")
  func integers() {
    #expect(Value.byte(255).asInteger == 255)
    #expect(Value.int16(-5).asInteger == -5)
    #expect(Value.uint32(.max).asInteger == 4_294_967_295)
    #expect(Value.uint64(.max).asInteger == nil)
    #expect(Value.string("5").asInteger == nil)
  }

  @Test("Properties come without their variants; the last of a repeated key counts")
  func properties() {
    let value = Value.properties([("a", .byte(1)), ("b", .variant(.string("x"))), ("a", .byte(2))])
    #expect(value.asProperties == ["a": .byte(2), "b": .string("x")])
  }
}

/// A type signature: any number of complete types, `susssasa{sv}i` for example.
///
/// Source: D-Bus Specification, "Type System": 255 bytes at most, arrays and structs nested 32 deep at most each.
public struct Signature: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  /// No values at all.
  public static let empty = Signature(unchecked: "")

  /// True if it is exactly one complete type, as an array element or a variant must be.
  public var isSingle: Bool {
    var scanner = Scanner(bytes: Array(text.utf8))
    return scanner.scanType(arrays: 0, structs: 0) == nil && scanner.position == scanner.bytes.count
  }

  /// The complete types it is made of, in order.
  public var singles: [Signature] {
    var scanner = Scanner(bytes: Array(text.utf8))
    var result: [Signature] = []
    while scanner.position < scanner.bytes.count {
      let start = scanner.position
      guard scanner.scanType(arrays: 0, structs: 0) == nil else { return result }
      result.append(Signature(unchecked: String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self)))
    }
    return result
  }

  public static func fault(in text: String) -> String? {
    if text.utf8.count > 255 { return "it is longer than 255 bytes" }
    var scanner = Scanner(bytes: Array(text.utf8))
    while scanner.position < scanner.bytes.count {
      if let fault = scanner.scanType(arrays: 0, structs: 0) { return fault }
    }
    return nil
  }

  /// Reads complete types from left to right.
  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    static let basic = Set("ybnqiuxtdsogh".utf8)

    /// Moves over one complete type; nil, or what is wrong with it.
    mutating func scanType(arrays: Int, structs: Int) -> String? {
      guard position < bytes.count else { return "it ends in the middle of a type" }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "v"): return nil
      case _ where Self.basic.contains(byte): return nil
      case UInt8(ascii: "a"):
        if arrays == 32 { return "arrays are nested too deep" }
        if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
          position += 1
          return scanEntry(arrays: arrays + 1, structs: structs)
        }
        return scanType(arrays: arrays + 1, structs: structs)
      case UInt8(ascii: "("):
        if structs == 32 { return "structs are nested too deep" }
        return scanStruct(arrays: arrays, structs: structs + 1)
      default: return "it has an unknown type code"
      }
    }

    private mutating func scanStruct(arrays: Int, structs: Int) -> String? {
      if position < bytes.count, bytes[position] == UInt8(ascii: ")") { return "a struct is empty" }
      while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
        if let fault = scanType(arrays: arrays, structs: structs) { return fault }
      }
      guard position < bytes.count else { return "a struct is not closed" }
      position += 1
      return nil
    }

    private mutating func scanEntry(arrays: Int, structs: Int) -> String? {
      guard position < bytes.count, Self.basic.contains(bytes[position]) else { return "a dictionary key is not basic" }
      position += 1
      if let fault = scanType(arrays: arrays, structs: structs) { return fault }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else {
        return "a dictionary entry is not closed"
      }
      position += 1
      return nil
    }
  }
}

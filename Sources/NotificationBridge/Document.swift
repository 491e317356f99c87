/// A record as a tree of named values: the form in which it crosses the bus and lies in the store.
///
/// Only what differs from the default is written, and a name that is not known is ignored, so that the two sides may be
/// of different versions.
public protocol Documented: Sendable {
  /// The record as named values.
  var document: [String: PropertyValue] { get }
  /// Reads a record.
  /// - Throws: ``BridgeError`` with code `invalidRequest`; its message names the entry and what it must be.
  init(_ reader: DocumentReader) throws(BridgeError)
}

extension Documented {
  /// Reads a record from named values.
  /// - Parameter name: what messages call it, `request` for example.
  public init(document: [String: PropertyValue], named name: String) throws(BridgeError) {
    try self.init(DocumentReader(document, path: name))
  }
}

/// Reads the entries of a document, each as the type that it must be.
public struct DocumentReader: Sendable {
  private let entries: [String: PropertyValue]
  /// Where the document stands, for messages: `request.content` for example.
  public let path: String

  public init(_ entries: [String: PropertyValue], path: String) {
    self.entries = entries
    self.path = path
  }

  /// Whether there is an entry of that name.
  public func has(_ name: String) -> Bool { entries[name] != nil }

  public func value(_ name: String) -> PropertyValue? {
    if case .null? = entries[name] { return nil }
    return entries[name]
  }

  public func text(_ name: String) throws(BridgeError) -> String? {
    switch value(name) {
    case nil: return nil
    case .string(let text)?: return text
    default: throw wrong(name, "text")
    }
  }

  public func flag(_ name: String) throws(BridgeError) -> Bool? {
    switch value(name) {
    case nil: return nil
    case .boolean(let flag)?: return flag
    default: throw wrong(name, "true or false")
    }
  }

  public func integer(_ name: String) throws(BridgeError) -> Int? {
    switch value(name) {
    case nil: return nil
    case .integer(let number)?: return Int(number)
    case .double(let number)?:
      guard let whole = Int(exactly: number) else { throw wrong(name, "a whole number") }
      return whole
    default: throw wrong(name, "a whole number")
    }
  }

  public func number(_ name: String) throws(BridgeError) -> Double? {
    switch value(name) {
    case nil: return nil
    case .integer(let number)?: return Double(number)
    case .double(let number)?: return number
    default: throw wrong(name, "a number")
    }
  }

  public func document(_ name: String) throws(BridgeError) -> DocumentReader? {
    switch value(name) {
    case nil: return nil
    case .dictionary(let entries)?: return DocumentReader(entries, path: "\(path).\(name)")
    default: throw wrong(name, "a dictionary")
    }
  }

  public func documents(_ name: String) throws(BridgeError) -> [DocumentReader]? {
    switch value(name) {
    case nil: return nil
    case .array(let elements)?:
      var readers: [DocumentReader] = []
      for (index, element) in elements.enumerated() {
        guard case .dictionary(let entries) = element else { throw wrong(name, "an array of dictionaries") }
        readers.append(DocumentReader(entries, path: "\(path).\(name)[\(index)]"))
      }
      return readers
    default: throw wrong(name, "an array of dictionaries")
    }
  }

  public func texts(_ name: String) throws(BridgeError) -> [String]? {
    switch value(name) {
    case nil: return nil
    case .array(let elements)?:
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else { throw wrong(name, "an array of texts") }
        texts.append(text)
      }
      return texts
    default: throw wrong(name, "an array of texts")
    }
  }

  /// Records of one kind.
  public func records<Record: Documented>(_ name: String, of kind: Record.Type) throws(BridgeError) -> [Record]? {
    guard let readers = try documents(name) else { return nil }
    var records: [Record] = []
    for reader in readers { records.append(try Record(reader)) }
    return records
  }

  /// One of the words of an enumeration.
  public func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of kind: Word.Type
  ) throws(BridgeError) -> Word? {
    guard let text = try text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  /// What must be there.
  public func needed<Value>(_ name: String, _ value: Value?, _ expected: String) throws(BridgeError) -> Value {
    guard let value else { throw wrong(name, expected + ", and is missing") }
    return value
  }

  /// Says that an entry is not what it must be.
  public func wrong(_ name: String, _ expected: String) -> BridgeError {
    BridgeError(.invalidRequest, "\(path).\(name) must be \(expected)")
  }
}

/// Collects the entries of a document; what is nil or at its default is left out.
struct DocumentWriter {
  private(set) var entries: [String: PropertyValue] = [:]

  mutating func text(_ name: String, _ value: String?, unless standard: String? = nil) {
    if let value, value != standard { entries[name] = .string(value) }
  }
  mutating func integer(_ name: String, _ value: Int?, unless standard: Int? = nil) {
    if let value, value != standard { entries[name] = .integer(Int64(value)) }
  }
  mutating func number(_ name: String, _ value: Double?, unless standard: Double? = nil) {
    if let value, value != standard { entries[name] = .double(value) }
  }
  mutating func flag(_ name: String, _ value: Bool) { if value { entries[name] = .boolean(true) } }
  mutating func document(_ name: String, _ value: (any Documented)?) {
    if let value { entries[name] = .dictionary(value.document) }
  }
  mutating func documents(_ name: String, _ values: [any Documented]) {
    if !values.isEmpty { entries[name] = .array(values.map { .dictionary($0.document) }) }
  }
  mutating func texts(_ name: String, _ values: [String]) {
    if !values.isEmpty { entries[name] = .array(values.map { .string($0) }) }
  }
  mutating func set(_ name: String, _ value: PropertyValue) { entries[name] = value }
}

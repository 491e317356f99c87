import NotificationBridge

/// `userInfo` dictionaries to values that cross isolation and processes, and back.
enum UserInfo {
  /// Deeper nesting is refused; it also ends dictionaries that contain themselves.
  private static let maximumDepth = 100

  /// The dictionary's values.
  /// - Throws: ``BridgeError`` `invalidRequest` that names the key path of a value that is no property-list value, or of
  ///   a key that is no string.
  static func record(_ userInfo: [AnyHashable: Any]) throws(BridgeError) -> [String: PropertyValue] {
    try entries(userInfo, at: "userInfo", depth: 0)
  }

  /// The dictionary as Apple's systems hand it back: numbers and flags as `NSNumber`, null as `NSNull`.
  static func objects(_ record: [String: PropertyValue]) -> [AnyHashable: Any] {
    var entries: [AnyHashable: Any] = [:]
    for (key, value) in record { entries[key] = object(value) }
    return entries
  }

  /// For archives: an NSKeyedArchiver would turn flags into numbers. Entries that cannot be stored are left out.
  static func archive(_ userInfo: [AnyHashable: Any]) -> Data {
    var record: [String: PropertyValue] = [:]
    for (key, value) in userInfo {
      guard let entry = try? entries([key: value], at: "userInfo", depth: 0) else { continue }
      record.merge(entry) { first, _ in first }
    }
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    return (try? encoder.encode(record)) ?? Data()
  }

  /// The dictionary of an archive; empty when it cannot be read.
  static func objects(archive: Data) -> [AnyHashable: Any] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    return objects((try? decoder.decode([String: PropertyValue].self, from: archive)) ?? [:])
  }

  // Texts that nobody writes, so that no text is taken for a number.
  private static let infinity = "\u{10FFFF}infinity"
  private static let notANumber = "\u{10FFFF}not a number"

  private static func entries(
    _ dictionary: [AnyHashable: Any], at path: String, depth: Int
  ) throws(BridgeError) -> [String: PropertyValue] {
    var entries: [String: PropertyValue] = [:]
    for (key, value) in dictionary {
      guard let name = key.base as? String else {
        throw BridgeError(.invalidRequest, "\(path) has the key \(key) (\(type(of: key.base))); keys must be strings")
      }
      entries[name] = try self.value(value, at: "\(path)[\"\(name)\"]", depth: depth + 1)
    }
    return entries
  }

  private static func value(_ object: Any, at path: String, depth: Int) throws(BridgeError) -> PropertyValue {
    guard depth <= maximumDepth else {
      throw BridgeError(.invalidRequest, "\(path) is nested deeper than \(maximumDepth) levels")
    }
    if object is NSNull { return .null }
    if let text = object as? String { return .string(text) }
    if let number = object as? NSNumber { return try self.number(number, at: path) }
    if let date = object as? Date { return .date(date) }
    if let data = object as? Data { return .data(data) }
    if let dictionary = object as? [AnyHashable: Any] {
      return .dictionary(try entries(dictionary, at: path, depth: depth))
    }
    if let array = object as? [Any] {
      var elements: [PropertyValue] = []
      for (index, element) in array.enumerated() {
        elements.append(try value(element, at: "\(path)[\(index)]", depth: depth + 1))
      }
      return .array(elements)
    }
    throw BridgeError(
      .invalidRequest,
      "\(path) is a \(type(of: object)); property lists hold strings, numbers, dates, data, arrays and dictionaries only")
  }

  private static func number(_ number: NSNumber, at path: String) throws(BridgeError) -> PropertyValue {
    // Foundation has one object each for true and false.
    if number === NSNumber(value: true) { return .boolean(true) }
    if number === NSNumber(value: false) { return .boolean(false) }
    // The type code of NSNumber: a C string that lives as long as the number.
    let code = unsafe Unicode.Scalar(UInt8(bitPattern: number.objCType.pointee))
    if code == "d" || code == "f" { return .double(number.doubleValue) }
    let integer = number.int64Value
    guard NSNumber(value: integer) == number else {
      throw BridgeError(.invalidRequest, "\(path) is \(number), which does not fit into 64 bits with a sign")
    }
    return .integer(integer)
  }

  private static func object(_ value: PropertyValue) -> Any {
    switch value {
    case .null: NSNull()
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .string(let text): text
    case .date(let date): date
    case .data(let data): data
    case .array(let elements): elements.map(object)
    case .dictionary(let entries): objects(entries)
    }
  }
}

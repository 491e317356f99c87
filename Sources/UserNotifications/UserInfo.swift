import NotificationBridge

/// `userInfo` dictionaries to values that cross isolation and processes, and back.
enum UserInfo {
  /// Deeper nesting is refused.
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

  /// Whether two dictionaries hold the same; 1, 1.0 and true are the same, as numbers of Foundation are.
  static func areEqual(_ left: [AnyHashable: Any], _ right: [AnyHashable: Any]) -> Bool {
    if let left = try? record(left), let right = try? record(right) {
      return areEqual(.dictionary(left), .dictionary(right))
    }
    return NSDictionary(dictionary: left).isEqual(to: right)
  }

  /// For archives: an NSKeyedArchiver would turn flags into numbers. Entries that cannot be stored are left out.
  static func archive(_ userInfo: [AnyHashable: Any]) -> Data {
    var record: [String: PropertyValue] = [:]
    for (key, value) in userInfo {
      guard let entry = try? entries([key: value], at: "userInfo", depth: 0) else { continue }
      record.merge(entry) { first, _ in first }
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return (try? encoder.encode(record)) ?? Data()
  }

  /// The dictionary of an archive; empty when it cannot be read.
  static func objects(archive: Data) -> [AnyHashable: Any] {
    objects((try? PropertyListDecoder().decode([String: PropertyValue].self, from: archive)) ?? [:])
  }

  private static func areEqual(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    switch (left, right) {
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(areEqual)
    default:
      guard let left = number(left), let right = number(right) else { return left == right }
      return left == right
    }
  }

  private static func number(_ value: PropertyValue) -> NSNumber? {
    switch value {
    case .boolean, .integer, .double: object(value) as? NSNumber
    default: nil
    }
  }

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
      "\(path) is a \(type(of: object)); property lists hold strings, numbers, dates, data, arrays and dictionaries only"
    )
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

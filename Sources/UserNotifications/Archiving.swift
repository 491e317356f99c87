// Reading archives. Programs make objects for their tests with coders of their own that override `decodeObject(forKey:)`
// and little else, so everything but settings is kept as objects under the property's name, and what is missing or of
// another type stands for the default.

extension NSCoder {
  /// The object under `key`, or nil if there is none or it is of another type.
  final func decode<Object>(_ key: String, of classes: [AnyClass], as type: Object.Type = Object.self) -> Object? {
    if let archive = self as? NSKeyedUnarchiver, archive.requiresSecureCoding {
      // Asking for what is not there would spoil the whole archive.
      guard archive.containsValue(forKey: key) else { return nil }
      return archive.decodeObject(of: classes, forKey: key) as? Object
    }
    return decodeObject(forKey: key) as? Object
  }

  final func text(_ key: String) -> String? { decode(key, of: [NSString.self]) }

  final func number(_ key: String) -> NSNumber? { decode(key, of: [NSNumber.self]) }

  final func date(_ key: String) -> Date? { decode(key, of: [NSDate.self]) }

  final func data(_ key: String) -> Data? { decode(key, of: [NSData.self]) }

  final func texts(_ key: String) -> [String]? { decode(key, of: [NSArray.self, NSString.self]) }

  final func object<Object: NSObject>(_ key: String, _ type: Object.Type) -> Object? { decode(key, of: [type]) }

  final func objects<Object: NSObject>(_ key: String, _ type: Object.Type) -> [Object]? {
    decode(key, of: [NSArray.self, type])
  }
}

/// Carries a state into `init(coder:)`.
///
/// As on Apple's systems that is the one designated initialiser that programs see, so that their subclasses inherit all
/// others.
final class Seed<Fields>: NSCoder {
  let fields: Fields

  init(_ fields: Fields) {
    self.fields = fields
    super.init()
  }

  // A subclass of the program's own may look for more.
  override var allowsKeyedCoding: Bool { true }
  override func containsValue(forKey key: String) -> Bool { false }
  override func decodeObject(forKey key: String) -> Any? { nil }
  override func decodeBool(forKey key: String) -> Bool { false }
  override func decodeInt64(forKey key: String) -> Int64 { 0 }
}

extension NSObject {
  /// `<Class: 0x1234; name: value, …>`, the form of Apple's descriptions.
  final func description(of fields: KeyValuePairs<String, Any?>) -> String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    let text = fields.map { name, value in "\(name): \(value.map { "\($0)" } ?? "(null)")" }.joined(separator: ", ")
    return "<\(Swift.type(of: self)): 0x\(address); \(text)>"
  }
}

public import FoundationEssentials

/// A property-list value, JSON's null added: what `userInfo` holds.
public indirect enum PropertyValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case date(Date)
  case data(Data)
  case array([PropertyValue])
  case dictionary([String: PropertyValue])
}

extension PropertyValue {
  /// About how many bytes it takes.
  public var size: Int {
    switch self {
    case .null, .boolean, .integer, .double, .date: 8
    case .string(let text): text.utf8.count + 8
    case .data(let data): data.count + 8
    case .array(let values): values.reduce(8) { $0 + $1.size }
    case .dictionary(let values): values.reduce(8) { $0 + $1.key.utf8.count + 8 + $1.value.size }
    }
  }
}

/// JSON's types as themselves; a date or data as an object with the one key `$date` (seconds since 1970) or `$data`
/// (base64).
extension PropertyValue: Codable {
  private enum Tag: String, CodingKey, CaseIterable {
    case date = "$date"
    case data = "$data"
  }

  public init(from decoder: any Decoder) throws {
    if let tagged = try? decoder.container(keyedBy: Tag.self), tagged.allKeys.count == 1 {
      if let seconds = try? tagged.decode(Double.self, forKey: .date) {
        self = .date(Date(timeIntervalSince1970: seconds))
        return
      }
      if let text = try? tagged.decode(String.self, forKey: .data), let data = Data(base64Encoded: text) {
        self = .data(data)
        return
      }
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([PropertyValue].self) {
      self = .array(elements)
    } else {
      self = .dictionary(try container.decode([String: PropertyValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .date(let date):
      var container = encoder.container(keyedBy: Tag.self)
      try container.encode(date.timeIntervalSince1970, forKey: .date)
      return
    case .data(let data):
      var container = encoder.container(keyedBy: Tag.self)
      try container.encode(data.base64EncodedString(), forKey: .data)
      return
    default: break
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null, .date, .data: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .dictionary(let entries): try container.encode(entries)
    }
  }
}

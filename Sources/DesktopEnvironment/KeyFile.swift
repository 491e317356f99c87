import CGLib
import NotificationBridge

/// A file of groups, keys and values as desktop entries and our settings are, read by GLib's `GKeyFile`.
///
/// Source: Desktop Entry Specification 1.5, "Basic format of the file".
public struct KeyFile: Sendable {
  /// The path it was read from, or what its caller named it.
  public let name: String
  private let order: [String]
  private let entries: [String: Group]

  private struct Group: Sendable {
    var keys: [String] = []
    /// As they stand in the file, not unescaped.
    var values: [String: String] = [:]
  }

  /// Larger files are refused.
  private static let sizeLimit = 1 << 20

  /// Reads a file.
  /// - Throws: ``KeyFileError`` when it cannot be read, is over 1 MB, or a line of it is none of group, key or comment.
  public init(file: String) throws(KeyFileError) {
    let bytes: [UInt8]
    do throws(RegularFile.Failure) {
      bytes = try RegularFile.read(file, limit: Self.sizeLimit)
    } catch {
      throw KeyFileError(file: file, isMissing: error.isMissing, message: "cannot be read: \(error)")
    }
    try self.init(bytes, name: file)
  }

  /// Reads what is in memory.
  /// - Parameter name: for error messages.
  public init(_ bytes: [UInt8], name: String) throws(KeyFileError) {
    self.name = name
    guard let pointer = unsafe g_key_file_new() else { preconditionFailure("GLib has no memory") }
    defer { unsafe g_key_file_unref(pointer) }
    do throws(GLibError) {
      _ = unsafe try GLibError.catching { error in
        unsafe bytes.withUnsafeBytes { buffer in
          let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
          return unsafe g_key_file_load_from_data(
            pointer, start, gsize(buffer.count), G_KEY_FILE_KEEP_TRANSLATIONS, error) != 0 ? true : nil
        }
      }
    } catch { throw KeyFileError(file: name, message: error.message) }
    order = unsafe [String](adoptingFromGLib: g_key_file_get_groups(pointer, nil))
    entries = order.reduce(into: [:]) { entries, group in
      var content = Group()
      content.keys = unsafe [String](adoptingFromGLib: g_key_file_get_keys(pointer, group, nil, nil))
      for key in content.keys {
        content.values[key] = unsafe String(adoptingFromGLib: g_key_file_get_value(pointer, group, key, nil))
      }
      entries[group] = content
    }
  }

  /// The names of its groups, in order.
  public var groups: [String] { order }

  /// The keys of a group, in order; empty when there is no such group.
  public func keys(of group: String) -> [String] { entries[group]?.keys ?? [] }

  /// A text, its escapes (`\s`, `\n`, `\t`, `\r`, `\\`) replaced; nil when the key is not there.
  public func string(_ key: String, in group: String) throws(KeyFileError) -> String? {
    guard let value = entries[group]?.values[key] else { return nil }
    return try parts(value, key, group, isList: false).first ?? ""
  }

  /// The text in the first of `languages` that it is there in, else the one without a language.
  /// - Parameter languages: such as `de_DE`; see ``Languages``.
  public func string(
    _ key: String, in group: String, languages: [String]
  ) throws(KeyFileError) -> String? {
    for language in languages {
      if let text = try string("\(key)[\(language)]", in: group) { return text }
    }
    return try string(key, in: group)
  }

  /// The elements of a list, which semicolons end or separate; nil when the key is not there.
  public func strings(_ key: String, in group: String) throws(KeyFileError) -> [String]? {
    guard let value = entries[group]?.values[key] else { return nil }
    return try parts(value, key, group, isList: true)
  }

  /// A truth value, `true` or `false`; nil when the key is not there.
  public func boolean(_ key: String, in group: String) throws(KeyFileError) -> Bool? {
    switch entries[group]?.values[key] {
    case nil: nil
    case "true"?, "1"?: true
    case "false"?, "0"?: false
    case let value?: throw failure(key, group, "“\(value)” is neither true nor false")
    }
  }

  /// A whole number; nil when the key is not there.
  public func integer(_ key: String, in group: String) throws(KeyFileError) -> Int? {
    guard let value = entries[group]?.values[key] else { return nil }
    guard let number = Int(value) else { throw failure(key, group, "“\(value)” is not a whole number") }
    return number
  }

  /// A value without escapes, cut at semicolons if it is a list.
  private func parts(
    _ value: String, _ key: String, _ group: String, isList: Bool
  ) throws(KeyFileError) -> [String] {
    guard let parts = KeyFileValue.parts(value, isList: isList) else {
      throw failure(key, group, "“\(value)” has a backslash that begins no escape")
    }
    return parts
  }

  private func failure(_ key: String, _ group: String, _ message: String) -> KeyFileError {
    KeyFileError(file: name, message: "key \(key) of [\(group)]: \(message)")
  }
}

/// Why a key file could not be used.
public struct KeyFileError: Error, Sendable, CustomStringConvertible {
  /// The file's path or name.
  public let file: String
  /// There is no such file.
  public let isMissing: Bool
  /// What is wrong; it has the text of the line or value that is.
  public let message: String

  init(file: String, isMissing: Bool = false, message: String) {
    self.file = file
    self.isMissing = isMissing
    self.message = message
  }

  public var description: String { "\(file): \(message)" }
}

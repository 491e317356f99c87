/// An application's own texts: `Localizable.strings` and `Localizable.stringsdict` in its folders `LANG.lproj`.
///
/// The user's languages come first, then that of the application's development (`CFBundleDevelopmentRegion` of an
/// `Info.plist` beside the folders, else English) and `Base.lproj`; of two folders of an application the first has its
/// say before the second. A key that one language lacks is looked for in the next. Nothing is read before a key is
/// asked for, and nothing is kept.
///
/// Source: Apple, "Internationalization and Localization Guide"; "Stringsdict File Format".
public struct StringTables: Sendable {
  /// What a folder holds: names, in any order; empty if it cannot be read.
  public typealias List = @Sendable (_ folder: String) -> [String]
  /// A file's bytes; nil if there is none.
  public typealias Read = @Sendable (_ path: String) -> [UInt8]?

  private let folders: [String]
  private let languages: Languages
  private let list: List
  private let read: Read

  /// - Parameter folders: those of the application, most important first. They need not exist.
  public init(folders: [String], languages: Languages, list: @escaping List, read: @escaping Read) {
    self.folders = folders
    self.languages = languages
    self.list = list
    self.read = read
  }

  /// The text for a key, its arguments filled in; nil if no table has it.
  ///
  /// A text of `.strings` has the places `%@` and `%n$@`, as ``FormatFiller`` fills them; one of `.stringsdict`, which
  /// comes first, is chosen by numbers among the arguments, see ``PluralFormat``.
  /// - Parameter notes: what is wrong with the tables is added, a sentence each.
  public func text(_ key: String, _ arguments: [PropertyValue], notes: inout [String]) -> String? {
    for folder in folders {
      let entries = list(folder)
      if entries.isEmpty { continue }
      let development = development(folder, entries)
      for name in LanguageFolders.order(entries, wanted: languages.names, development: development) {
        let language = name.hasPrefix("Base.") ? development : String(name.dropLast(LanguageFolders.suffix.count))
        if let value = value(key, "\(folder)/\(name)", name, "stringsdict", &notes) {
          if let format = PluralFormat(value, language: language.isEmpty ? "en" : language) {
            return format.fill(arguments)
          }
          notes.append("\(name)/Localizable.stringsdict: the entry \(key.quotedForPeople) is none for numbers")
        }
        if let value = value(key, "\(folder)/\(name)", name, "strings", &notes) {
          if case .string(let format) = value { return FormatFiller.fill(format, arguments.map(\.localizedArgument)) }
          notes.append("\(name)/Localizable.strings: the entry \(key.quotedForPeople) is no text")
        }
      }
    }
    return nil
  }

  private func value(
    _ key: String, _ folder: String, _ name: String, _ kind: String, _ notes: inout [String]
  ) -> PropertyValue? {
    guard let bytes = read("\(folder)/Localizable.\(kind)") else { return nil }
    do throws(BridgeError) {
      return try PropertyList.dictionary(bytes)[key]
    } catch {
      let note = "\(name)/Localizable.\(kind): \(error.message)"
      if !notes.contains(note) { notes.append(note) }
      return nil
    }
  }

  private func development(_ folder: String, _ entries: [String]) -> String {
    guard entries.contains("Info.plist"), let bytes = read(folder + "/Info.plist"),
      case .string(let region)? = (try? PropertyList.dictionary(bytes))?["CFBundleDevelopmentRegion"]
    else { return "" }
    return region
  }
}

extension PropertyValue {
  /// How it reads in the place of an argument; what is neither text nor a number is empty.
  public var localizedArgument: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    default: ""
    }
  }
}

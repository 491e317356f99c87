internal import CLinux
internal import Glibc

/// One of our own texts in the user's language, or as it is when there is no translation.
///
/// `text` is written out at the call, in English: Tests/Tools/words collects it from there. Text from users is never
/// passed. A process that never calls this pays nothing for it; the first call reads the environment, once.
public func localized(_ text: String) -> String {
  Catalogue.shared?.text(text) ?? text
}

/// The same with arguments in the places `%@`, or `%1$@`, `%2$@` … where a translation may need another order.
///
/// Arguments are text and are put in as they are: nothing in them is a place again. `%%` stands for a percent sign.
public func localized(_ format: String, _ first: String, _ others: String...) -> String {
  Placeholders.fill(localized(format), [first] + others)
}

/// A text that depends on a number, in the form that the user's language has for it.
///
/// The number itself is an argument like the others, so that its caller decides how it is written.
/// - Parameters:
///   - one: the English for exactly one.
///   - many: the English for any other number.
public func localizedPlural(_ one: String, _ many: String, count: Int, _ arguments: String...) -> String {
  let format = Catalogue.shared?.text(one, many, count) ?? (count == 1 ? one : many)
  return Placeholders.fill(format, arguments)
}

/// The program's catalogue `notify-bridge.mo` in the language that the environment asks for.
///
/// The process keeps its locale: a library does not change that of the program it is in.
@safe struct Catalogue: @unchecked Sendable {
  /// Never freed and only read, by glibc, once it is here: so any thread may use it.
  private let locale: locale_t
  private static let domain = "notify-bridge"

  /// Nil when texts are to stay as they are.
  static let shared = Catalogue(
    folder: folder(above: program(), hasCommand: { unsafe access($0, X_OK) == 0 }), environment: environment)

  /// - Parameter folder: asked only where a translation is wanted.
  init?(folder: @autoclosure () -> String, environment: (String) -> String?) {
    guard Self.wantsTranslation(environment) else { return nil }
    guard let locale = unsafe clinux_message_locale() else { return nil }
    guard unsafe clinux_bind_catalogue(Self.domain, folder()) == 0 else {
      unsafe freelocale(locale)
      return nil
    }
    unsafe self.locale = unsafe locale
  }

  func text(_ text: String) -> String {
    unsafe text.withCString { unsafe String(cString: clinux_translate(locale, Self.domain, $0)) }
  }

  func text(_ one: String, _ many: String, _ count: Int) -> String {
    unsafe one.withCString { one in
      unsafe many.withCString { many in
        unsafe String(cString: clinux_translate_plural(locale, Self.domain, one, many, count.magnitude))
      }
    }
  }

  /// False in the C locale, where gettext would look for nothing either; so nothing is loaded for that.
  static func wantsTranslation(_ environment: (String) -> String?) -> Bool {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
    if locale == "C" || locale == "POSIX" { return false }
    // In C.UTF-8 older glibc lets LANGUAGE choose, newer does not.
    return !locale.hasPrefix("C.") || value("LANGUAGE") != nil
  }

  /// `share/locale` of where we are installed: the nearest folder above the running program that has `bin/notify-bridge`
  /// (the build folder for one), else, for programs with the library in them, the usual ones.
  static func folder(above program: String, hasCommand: (String) -> Bool) -> String {
    var above = program[...]
    while let slash = above.lastIndex(of: "/") {
      above = above[..<slash]
      if hasCommand(above + "/bin/notify-bridge") { return above + "/share/locale" }
    }
    return hasCommand("/usr/local/bin/notify-bridge") ? "/usr/local/share/locale" : "/usr/share/locale"
  }

  /// The path of the running program; empty where /proc does not tell.
  private static func program() -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let size = unsafe readlink("/proc/self/exe", &path, path.count)
    return String(decoding: path.prefix(max(size, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// Arguments put into the places of a format. Nothing here is a format of printf.
enum Placeholders {
  /// `%@` is the next argument, `%N$@` the Nth from 1, `%%` a percent sign; everything else, also a place without an
  /// argument, stays as it is.
  static func fill(_ format: String, _ arguments: [String]) -> String {
    guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
    var result = ""
    var next = 0
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...]
      if rest.hasPrefix("%%") {
        result += "%"
        rest = rest.dropFirst(2)
      } else if let (number, length) = place(rest), let index = number.map({ $0 - 1 }) ?? next as Int?,
        arguments.indices.contains(index)
      {
        if number == nil { next += 1 }
        result += arguments[index]
        rest = rest.dropFirst(length)
      } else {
        result += "%"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  /// The number of the place that a text begins with, nil for one without, and how many characters it takes.
  private static func place(_ text: Substring) -> (number: Int?, length: Int)? {
    if text.hasPrefix("%@") { return (nil, 2) }
    let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count), let number = Int(digits), number > 0,
      text.dropFirst(1 + digits.count).hasPrefix("$@")
    else { return nil }
    return (number, 3 + digits.count)
  }
}

/// The languages that a user reads, as locales name them.
public struct Languages: Sendable, Hashable {
  /// Most wanted first, each in all its forms: `de_DE@euro`, `de_DE`, `de@euro`, `de`. Empty for the C locale.
  public let names: [String]

  /// What `LANGUAGE` says, unless the locale is C, else the first set one of `LC_ALL`, `LC_MESSAGES` and `LANG`.
  ///
  /// Source: gettext manual, "Specifying a Priority List of Languages"; Desktop Entry Specification, "Localized values
  /// for keys".
  public init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let isPlain = ["C", "POSIX"].contains(locale.prefix { $0 != "." })
    let wanted = isPlain ? "" : environment["LANGUAGE"] ?? ""
    var names: [String] = []
    for name in (wanted.isEmpty ? locale : wanted).split(separator: ":") {
      for form in Self.forms(of: name) where !names.contains(form) && !["C", "POSIX"].contains(form) {
        names.append(form)
      }
    }
    self.names = names
  }

  /// `lang_COUNTRY.ENCODING@MODIFIER`, all but the language optional, in the forms that may match it.
  private static func forms(of name: Substring) -> [String] {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard let first = parts.first, let place = first.split(separator: ".").first else { return [] }
    let modifier = parts.count > 1 ? "@" + parts[1] : ""
    let language = String(place.prefix { $0 != "_" })
    let forms = [place + modifier, String(place), language + modifier, language]
    return forms.map { String($0) }
  }
}

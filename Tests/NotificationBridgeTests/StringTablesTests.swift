import Foundation
import NotificationBridge
import Testing

/// An application's texts in the user's language.
@Suite struct StringTablesTests {
  private func tables(
    _ files: [String: String], _ environment: [String: String], folders: [String] = ["/app"]
  ) -> StringTables {
    StringTables(
      folders: folders, languages: Languages(environment: environment),
      list: { folder in
        Set(
          files.keys.filter { $0.hasPrefix(folder + "/") }
            .map { String($0.dropFirst(folder.count + 1).prefix { $0 != "/" }) }
        ).sorted()
      },
      read: { files[$0].map { Array($0.utf8) } })
  }

  private func find(
    _ folders: [String], _ environment: [String: String], plist: String? = nil
  ) -> String? {
    var files: [String: String] = [:]
    for name in folders { files["/app/\(name).lproj/Localizable.strings"] = "\"K\" = \"\(name)\";" }
    files["/app/Info.plist"] = plist
    var notes: [String] = []
    return tables(files, environment).text("K", [], notes: &notes)
  }

  @Test(
    "the session's languages choose the folder, else the language of development",
    arguments: [
      ("pt_BR.UTF-8", "", ["en", "pt", "pt-BR"], "pt-BR"), ("pt_BR.UTF-8", "", ["en", "pt", "pt-PT"], "pt"),
      ("pt_BR", "", ["en", "pt-PT"], "pt-PT"), ("pt_PT", "", ["pt_BR", "Base"], "pt_BR"),
      ("fr_FR.UTF-8", "", ["de", "en", "Base"], "Base"), ("fr_FR.UTF-8", "", ["de", "en"], "en"),
      ("fr_FR.UTF-8", "de:pt", ["pt", "de", "fr"], "de"), ("C", "de", ["de", "en"], "en"),
      ("C.UTF-8", "", ["de", "Base"], "Base"), ("de_DE@euro", "", ["de", "en"], "de"),
      ("zh_TW", "", ["zh-Hans", "zh-Hant"], "zh-Hant"),
      ("zh_CN", "", ["zh-Hant", "zh_CN"], "zh_CN"), ("zh_HK", "", ["zh-Hant", "zh-Hant-HK"], "zh-Hant-HK"),
      ("sr_RS@latin", "", ["sr", "sr-Latn"], "sr-Latn"), ("nb_NO", "", ["no", "en"], "no"),
      ("de_CH", "", ["German", "en"], "German"), ("he_IL", "", ["iw", "en"], "iw"),
      ("es_MX", "", ["es-419", "es"], "es"),
      ("ja_JP", "", ["fr"], nil), ("../x", "", ["fr", "en"], "en"),
    ] as [(String, String, [String], String?)])
  func languages(locale: String, list: String, folders: [String], chosen: String?) {
    #expect(find(folders, ["LANG": locale, "LANGUAGE": list]) == chosen)
  }

  @Test("LC_ALL beats LC_MESSAGES, which beats LANG")
  func locale() {
    let folders = ["de", "fr", "en"]
    #expect(find(folders, ["LANG": "de_DE", "LC_MESSAGES": "fr_FR"]) == "fr")
    #expect(find(folders, ["LANG": "de_DE", "LC_MESSAGES": "de_DE", "LC_ALL": "fr_FR"]) == "fr")
  }

  @Test("an Info.plist names the language of development")
  func development() {
    let plist = "<plist><dict><key>CFBundleDevelopmentRegion</key><string>fr</string></dict></plist>"
    #expect(find(["en", "fr", "de"], ["LANG": "ja_JP"], plist: plist) == "fr")
    #expect(find(["en", "fr", "de"], ["LANG": "ja_JP"], plist: "broken") == "en")
  }

  @Test("a key that one language lacks is looked for in the next; the application's first folder has its say first")
  func fallThrough() {
    let files = [
      "/app/de.lproj/Localizable.strings": "a = Eins;", "/app/en.lproj/Localizable.strings": "a = One; b = Two;",
      "/sys/de.lproj/Localizable.strings": "a = X; c = Drei;",
    ]
    let tables = tables(files, ["LANG": "de_DE"], folders: ["/app", "/none", "/sys"])
    var notes: [String] = []
    #expect(tables.text("a", [], notes: &notes) == "Eins")
    #expect(tables.text("b", [], notes: &notes) == "Two")
    #expect(tables.text("c", [], notes: &notes) == "Drei")
    #expect(tables.text("d", [], notes: &notes) == nil)
    #expect(notes.isEmpty)
  }

  @Test("numbers choose the form, by the rules of the language of the folder")
  func plurals() {
    func dictionary(_ forms: String) -> String {
      """
      <?xml version="1.0"?><plist version="1.0"><dict><key>N</key><dict>
      <key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>
      <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
      <key>NSStringFormatValueTypeKey</key><string>d</string>\(forms)</dict></dict></dict></plist>
      """
    }
    let files = [
      "/app/pl.lproj/Localizable.stringsdict": dictionary(
        "<key>one</key><string>%d plik</string><key>few</key><string>%d pliki</string>"
          + "<key>many</key><string>%d plików</string><key>other</key><string>%d pliku</string>"),
      "/app/Base.lproj/Localizable.stringsdict": dictionary(
        "<key>one</key><string>%d file</string><key>other</key><string>%d files</string>"),
      "/app/pl.lproj/Localizable.strings": "N = \"not this\";",
    ]
    for (locale, number, text) in [
      ("pl_PL", 1, "1 plik"), ("pl_PL", 3, "3 pliki"), ("pl_PL", 5, "5 plików"), ("C", 1, "1 file"),
      ("C", 2, "2 files"),
    ] {
      var notes: [String] = []
      #expect(tables(files, ["LANG": locale]).text("N", [.integer(Int64(number))], notes: &notes) == text)
      #expect(notes.isEmpty)
    }
  }

  @Test("a table that cannot be read is said, with the line, and the next language has its say")
  func broken() {
    let files = [
      "/app/de.lproj/Localizable.strings": "\"K\" = \"eins\"\n\"L\" = \"zwei\";",
      "/app/de.lproj/Localizable.stringsdict": "{ K = { a = b; }; }",
      "/app/en.lproj/Localizable.strings": "K = one; L = (a);",
    ]
    var notes: [String] = []
    #expect(tables(files, ["LANG": "de_DE"]).text("K", [], notes: &notes) == "one")
    #expect(notes.count == 2, "\(notes)")
    #expect(notes.contains { $0.hasPrefix("de.lproj/Localizable.strings: ") && $0.contains("line 2") })
    #expect(notes.contains { $0.contains("'K' is none for numbers") })
    #expect(tables(files, ["LANG": "de_DE"]).text("L", [], notes: &notes) == nil)
    #expect(notes.contains { $0.contains("'L' is no text") })
  }
}

import Foundation
import NotificationBridge
import Testing

/// Which form of a text a number takes.
@Suite struct PluralTests {
  @Test("every language's rule chooses as the data that it was made from")
  func rules() throws {
    let url = try #require(Bundle.module.url(forResource: "Data/plurals", withExtension: "tsv"))
    var languages: Set<String> = []
    var count = 0
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t")
      let rules = PluralRules(language: String(fields[0]))
      for text in fields[2].split(separator: " ") {
        let number = try #require(PluralNumber(String(text)))
        #expect(rules.category(of: number).rawValue == fields[1], "\(fields[0]) \(text)")
        count += 1
      }
      languages.insert(String(fields[0]))
    }
    #expect(languages.count > 150 && count > 9_000, "\(languages.count) languages, \(count) numbers")
  }

  @Test(
    "languages are found as folders and locales write them; an unknown one has one form",
    arguments: [
      ("pt-BR", 0, "one"), ("pt_PT", 0, "other"), ("pt", 0, "one"), ("ar", 3, "few"), ("ja", 1, "other"),
      ("xx", 1, "other"), ("", 1, "other"), ("sr-Latn", 3, "few"), ("RU", 21, "one"), ("pl", 5, "many"),
    ] as [(String, Int64, String)])
  func languages(language: String, number: Int64, category: String) {
    #expect(PluralRules(language: language).category(of: PluralNumber(number)).rawValue == category)
    #expect(PluralRules(language: language).category(of: PluralNumber(-number)).rawValue == category)
  }

  @Test("what is no number is none", arguments: ["", "-", "1.", ".5", "1e3", "nan", "1.2.3", "½", "0x1"])
  func noNumber(text: String) { #expect(PluralNumber(text) == nil) }

  private func fill(_ plist: String, _ arguments: [PropertyValue], language: String = "en") throws -> String {
    let entry = try PropertyList.read(Array(plist.utf8))
    return try #require(PluralFormat(entry, language: language)).fill(arguments)
  }

  private static let files = """
    { NSStringLocalizedFormatKey = "%#@files@ in %#@folders@";
      files = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; NSStringFormatValueTypeKey = d;
        zero = "nothing"; one = "%d file"; other = "%d files"; };
      folders = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; NSStringFormatValueTypeKey = d;
        one = "one folder"; other = "%d folders"; }; }
    """

  @Test(
    "several variables, each by its own argument",
    arguments: [
      ([.integer(1), .integer(1)], "1 file in one folder"), ([.integer(0), .integer(2)], "nothing in 2 folders"),
      ([.string("12"), .double(3)], "12 files in 3 folders"), ([.integer(2)], "2 files in  folders"),
      ([.double(1.9), .integer(1)], "1 file in one folder"), ([], " files in  folders"),
      ([.string("many"), .boolean(true)], "many files in one folder"),
    ] as [([PropertyValue], String)])
  func variables(arguments: [PropertyValue], text: String) throws {
    #expect(try fill(Self.files, arguments) == text)
  }

  @Test("variables by number, and one within another's forms")
  func positions() throws {
    let entry = """
      { NSStringLocalizedFormatKey = "%2$#@b@ of %1$@: %1$@ 100%%";
        b = { NSStringFormatValueTypeKey = ld; one = "%ld message"; few = "%arg messages, %#@c@"; other = "%@ others"; };
        c = { NSStringFormatValueTypeKey = d; other = "and %d"; }; }
      """
    #expect(try fill(entry, [.string("Ana"), .integer(1)]) == "1 message of Ana: Ana 100%")
    #expect(try fill(entry, [.integer(7), .integer(3)], language: "ru") == "3 messages, and 7 of 7: 7 100%")
    #expect(try fill(entry, [.string("Ana"), .integer(5)], language: "ru") == "5 others of Ana: Ana 100%")
  }

  @Test(
    "numbers are written as their conversions ask",
    arguments: [
      ("%.1f", .double(2.25), "2.3"), ("%f", .integer(3), "3.000000"), ("%.0f", .double(-0.4), "0"),
      ("%.2f", .double(-1.005), "-1.00"), ("%05lld", .integer(7), "7"), ("%lu", .double(1e300), "1e+300"),
      ("%.9f", .double(0.5), "0.500000"), ("%f", .double(.infinity), "inf"), ("%g", .double(0.5), "0.5"),
      ("%s %p %n %c", .integer(1), "%s %p %n %c"), ("%", .integer(1), "%"), ("%9$@|", .integer(1), "|"),
      ("%0$@|", .integer(1), "|"), ("%99999999999999999999$@", .integer(1), "%99999999999999999999$@"),
      ("%#@nobody@|", .integer(1), "|"), ("%#@open", .integer(1), "1open"),
    ] as [(String, PropertyValue, String)])
  func conversions(format: String, argument: PropertyValue, text: String) throws {
    let entry: PropertyValue = .dictionary(["NSStringLocalizedFormatKey": .string(format)])
    #expect(try #require(PluralFormat(entry, language: "en")).fill([argument]) == text)
  }

  @Test("forms that name each other without end come to an end")
  func loops() throws {
    let entry = """
      { NSStringLocalizedFormatKey = "%#@a@"; a = { other = "x%1$#@a@%1$#@b@"; }; b = { other = "y%1$#@a@%1$#@b@"; }; }
      """
    let text = try fill(entry, [.integer(1)])
    #expect(text.hasPrefix("xx") && text.count == 64)
  }

  @Test("widths and devices: the widest, and a desktop's")
  func variants() throws {
    #expect(try fill("{ NSStringVariableWidthRuleType = { 1 = a; 20 = b; 9 = c; }; }", []) == "b")
    #expect(try fill("{ NSStringDeviceSpecificRuleType = { iphone = a; mac = b; other = c; }; }", []) == "b")
    #expect(PluralFormat(.dictionary(["x": .string("y")]), language: "en") == nil)
    #expect(PluralFormat(.array([]), language: "en") == nil)
  }
}

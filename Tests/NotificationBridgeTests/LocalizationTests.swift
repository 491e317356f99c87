import Foundation
import TestSupport
import Testing

@testable import NotificationBridge

@Suite("Our own words")
struct LocalizationTests {
  @Test("Arguments stand in their places, in the order of the format, and are never formats themselves")
  func placeholders() {
    #expect(Placeholders.fill("%@ and %@", ["Ada", "Tim"]) == "Ada and Tim")
    #expect(Placeholders.fill("%2$@: %1$@ neue", ["5", "Ada"]) == "Ada: 5 neue")
    #expect(Placeholders.fill("%1$@ %1$@", ["a"]) == "a a")
    #expect(Placeholders.fill("%@ %@", ["%@ %2$@ %s %n", "b"]) == "%@ %2$@ %s %n b")
    #expect(Placeholders.fill("%@ %10$@", (1...10).map(String.init)) == "1 10")
    #expect(Placeholders.fill("100 %% of %@", ["%"]) == "100 % of %")
  }

  @Test(
    "What is no place of an argument stays as it is",
    arguments: [
      "100%", "%", "%s %d %n %ld", "%1$s", "%0$@", "%3$@", "%999$@", "%$@", "%-1$@", "%٣$@", "a%@\u{301}", "%\u{301}@",
    ])
  func notPlaces(format: String) {
    #expect(Placeholders.fill(format, []) == format)
  }

  @Test("Text without arguments is taken literally")
  func literal() {
    #expect(localized("100%% %@") == "100%% %@")
  }

  @Test("Names are joined as a sentence joins them")
  func names() {
    #expect(Words.list([]) == "")
    #expect(Words.list(["Ada"]) == "Ada")
    #expect(Words.list(["Ada", "Tim"]) == "Ada and Tim")
    #expect(Words.list(["Ada", "Tim", "Eve", "%1$@"]) == "Ada, Tim, Eve and %1$@")
    #expect(Words.more(1, from: []) == "1 more notification")
    #expect(Words.more(0, from: []) == "0 more notifications")
    #expect(Words.more(5, from: ["Ada", "Tim"]) == "5 more from Ada and Tim")
  }

  @Test("A locale asks for a translation unless it is C, and C.UTF-8 only if LANGUAGE does")
  func wanted() {
    func wants(_ variables: [String: String]) -> Bool { Catalogue.wantsTranslation { variables[$0] } }
    #expect(!wants([:]))
    #expect(!wants(["LANGUAGE": "de"]))
    #expect(!wants(["LANG": "C", "LANGUAGE": "de"]))
    #expect(!wants(["LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"]))
    #expect(!wants(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"]))
    #expect(!wants(["LANG": "C.UTF-8", "LANGUAGE": ""]))
    #expect(wants(["LANG": "C.UTF-8", "LANGUAGE": "de"]))
    #expect(wants(["LANG": "de_DE.UTF-8", "LC_ALL": ""]))
    #expect(wants(["LANG": "C", "LC_MESSAGES": "pt_BR"]))
  }

  @Test("Catalogues are those of the installation that the running program belongs to")
  func folder() {
    func folder(_ program: String, _ commands: String...) -> String {
      Catalogue.folder(above: program, hasCommand: commands.contains)
    }
    let all = "/usr/local/bin/notify-bridge"
    #expect(folder("/usr/bin/notify-bridge", "/usr/bin/notify-bridge", all) == "/usr/share/locale")
    #expect(folder("/usr/local/libexec/notify-bridge/notify-bridged", all) == "/usr/local/share/locale")
    #expect(folder("/w/.build/x/debug/tests", "/w/.build/bin/notify-bridge") == "/w/.build/share/locale")
    #expect(folder("/opt/app/bin/app", "/usr/bin/notify-bridge") == "/usr/share/locale")
    #expect(folder("/opt/app/bin/app", all) == "/usr/local/share/locale")
    #expect(folder("", "/usr/bin/notify-bridge") == "/usr/share/locale")
    #expect(folder("/bin/app", "/bin/notify-bridge") == "/share/locale")
  }

  @Test("Each word is there in German, also in the plural and with its parts in another order")
  func german() async {
    await #expect(processExitsWith: .success) {
      useCatalogues(language: "de")
      check(Words.open, "Öffnen")
      check(Words.wantsToNotify("Ää %1$@"), "Ää %1$@ möchte Benachrichtigungen anzeigen")
      check(Words.more(1, from: []), "1 weitere Benachrichtigung")
      check(Words.more(2, from: []), "2 weitere Benachrichtigungen")
      check(Words.more(4, from: ["Ada", "Tim", "Eve"]), "4 weitere von Ada, Tim und Eve")
      check(localized("No such word"), "No such word")
    }
  }

  @Test("LANGUAGE is a list, and zero has the form that the language gives it")
  func brazilian() async {
    await #expect(processExitsWith: .success) {
      useCatalogues(language: "xx:pt_BR:de")
      check(Words.open, "Abrir")
      check(Words.more(0, from: []), "mais 0 notificação")
      check(Words.more(2, from: ["Ada"]), "mais 2 de Ada")
    }
  }

  @Test("Without LANGUAGE the locale alone says which language")
  func localeAlone() async {
    await #expect(processExitsWith: .success) {
      useCatalogues(language: nil)
      check(Words.allow, "Erlauben")
    }
  }

  @Test("The locale of the process stays as it was, on every thread")
  func hostLocale() async {
    await #expect(processExitsWith: .success) {
      useCatalogues(language: "de")
      check(Words.open, "Öffnen")
      check(unsafe String(cString: setlocale(LC_MESSAGES, nil)), "C")
      check(unsafe String(cString: strerror(ENOENT)), "No such file or directory")
    }
  }

  @Test("In the C locale nothing is loaded and texts are as they are")
  func plain() async {
    await #expect(processExitsWith: .success) {
      useCatalogues(language: "de", locale: "C")
      check(Words.open, "Open")
      check(Catalogue.shared == nil ? "nothing" : "something", "nothing")
    }
  }
}

/// Has this process speak a language, by the catalogues that `make translations` builds, in a German locale unless said
/// otherwise. That is the one locale that every system has, under another name: only the name matters to gettext.
private func useCatalogues(language: String?, locale: String = "de_DE.UTF-8") {
  let folder = Binaries.packageRoot + "/.build/share/test-locales"
  try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  unsafe symlink("/usr/lib/locale/C.utf8", folder + "/de_DE.UTF-8")
  unsafe setenv("LOCPATH", folder, 1)
  unsafe setenv("LC_ALL", locale, 1)
  if let language { unsafe setenv("LANGUAGE", language, 1) } else { unsafe unsetenv("LANGUAGE") }
  _ = Catalogue.shared
  // The folder of a domain is the process's, and the last word on it counts.
  _ = Catalogue(folder: Binaries.packageRoot + "/.build/share/locale") { _ in "de" }
}

/// In a process of its own `#expect` has nobody to report to.
private func check(_ found: String, _ expected: String) {
  precondition(found == expected, "“\(found)” is not “\(expected)”")
}

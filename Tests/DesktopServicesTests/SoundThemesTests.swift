import DesktopServices
import Foundation
import TestSupport
import Testing

@Suite("Sound themes", .timeLimit(.minutes(1)))
struct SoundThemesTests {
  /// A user's and a system's data folder with these files in `sounds`, empty ones but for what is given.
  private func stage(_ files: [String: String]) throws -> (home: TemporaryHome, folders: [String]) {
    let home = try TemporaryHome()
    for (name, text) in files {
      let parts = name.split(separator: ":", maxSplits: 1)
      try home.write(text, to: "\(parts[0])/sounds/\(parts[1])")
    }
    return (home, ["\(home.path)/user", "\(home.path)/system"])
  }

  private static let freedesktop = "[Sound Theme]\nName=x\nDirectories=stereo\n\n[stereo]\nOutputProfile=stereo\n"

  private func find(
    _ name: String, theme: String = "freedesktop", locale: String = "", _ files: [String: String]
  ) throws -> String {
    let (home, folders) = try stage(files)
    switch SoundThemes(folders: folders, theme: theme, locale: locale).find(name) {
    case .file(let path):
      let prefix = home.path + "/"
      #expect(path.hasPrefix(prefix))
      return String(path.dropFirst(prefix.count)).replacingOccurrences(of: "/sounds/", with: ":")
    case .silence: return "silence"
    case .missing: return "missing"
    }
  }

  @Test("A sound is found in the theme, the user's folder first, ogg in three spellings")
  func plain() throws {
    var files = ["system:freedesktop/index.theme": Self.freedesktop]
    #expect(try find("bell", files) == "missing")
    files["system:freedesktop/stereo/bell.wav"] = ""
    #expect(try find("bell", files) == "system:freedesktop/stereo/bell.wav")
    files["system:freedesktop/stereo/bell.ogg"] = ""
    #expect(try find("bell", files) == "system:freedesktop/stereo/bell.ogg")
    files["system:freedesktop/stereo/bell.oga"] = ""
    #expect(try find("bell", files) == "system:freedesktop/stereo/bell.oga")
    files["user:freedesktop/stereo/bell.wav"] = ""
    #expect(try find("bell", files) == "user:freedesktop/stereo/bell.wav")
  }

  @Test("A name loses what is behind its last dash until there is something")
  func dashes() throws {
    let files = [
      "system:freedesktop/index.theme": Self.freedesktop, "system:freedesktop/stereo/message.oga": "",
      "system:freedesktop/stereo/message-new-instant.oga": "",
    ]
    #expect(try find("message-new-instant", files) == "system:freedesktop/stereo/message-new-instant.oga")
    #expect(try find("message-new-email", files) == "system:freedesktop/stereo/message.oga")
    #expect(try find("complete-x", files) == "missing")
    #expect(try find("-", files) == "missing")
    #expect(try find("--message", files) == "missing")
  }

  @Test("The user's language comes first, then its parts, then C, then none")
  func languages() throws {
    var files = [
      "system:freedesktop/index.theme": Self.freedesktop, "system:freedesktop/stereo/bell.oga": "",
    ]
    #expect(try find("bell", locale: "de_AT.UTF-8@euro", files) == "system:freedesktop/stereo/bell.oga")
    for folder in ["C", "de", "de_AT", "de_AT@euro"] {
      files["system:freedesktop/stereo/\(folder)/bell.oga"] = ""
      #expect(
        try find("bell", locale: "de_AT.UTF-8@euro", files) == "system:freedesktop/stereo/\(folder)/bell.oga")
    }
    #expect(try find("bell", locale: "de_CH", files) == "system:freedesktop/stereo/de/bell.oga")
    #expect(try find("bell", locale: "fr", files) == "system:freedesktop/stereo/C/bell.oga")
    #expect(try find("bell", locale: "../../x", files) == "system:freedesktop/stereo/C/bell.oga")
  }

  @Test("A theme's parents, then freedesktop, then files of no theme")
  func parents() throws {
    var files = [
      "system:freedesktop/index.theme": Self.freedesktop,
      "system:ocean/index.theme":
        "[Sound Theme]\nInherits=waves, freedesktop\nDirectories=stereo, 5.1\n[stereo]\nOutputProfile=stereo\n"
        + "[5.1]\nOutputProfile=5.1\n",
      "user:waves/index.theme": "[Sound Theme]\nInherits=ocean,missing\nDirectories=stereo\n",
      "system:bell.oga": "",
      "system:ocean/5.1/bell.oga": "",
    ]
    #expect(try find("bell", theme: "ocean", files) == "system:bell.oga")
    files["system:freedesktop/stereo/bell.oga"] = ""
    #expect(try find("bell", theme: "ocean", files) == "system:freedesktop/stereo/bell.oga")
    files["system:waves/stereo/bell.oga"] = ""
    #expect(try find("bell", theme: "ocean", files) == "system:waves/stereo/bell.oga")
    files["system:ocean/stereo/bell.oga"] = ""
    #expect(try find("bell", theme: "ocean", files) == "system:ocean/stereo/bell.oga")
    #expect(try find("bell", theme: "unknown", files) == "system:freedesktop/stereo/bell.oga")
    #expect(try find("bell", theme: "../ocean", files) == "system:freedesktop/stereo/bell.oga")
  }

  @Test("A disabled sound is silence, and nothing further is looked for")
  func disabled() throws {
    let files = [
      "system:freedesktop/index.theme": Self.freedesktop, "system:freedesktop/stereo/bell.oga": "",
      "user:freedesktop/stereo/bell.disabled": "",
    ]
    #expect(try find("bell", files) == "silence")
    #expect(try find("bell-window-system", files) == "silence")
  }

  @Test("No name or theme leads out of the folders", arguments: ["../secret", "a/b", "", ".", ".hidden", "a\0b"])
  func names(name: String) throws {
    let files = [
      "system:freedesktop/index.theme":
        "[Sound Theme]\nDirectories=../..,/tmp,stereo\n[stereo]\nOutputProfile=stereo\n",
      "system:secret.oga": "", "system:freedesktop/stereo/.hidden.oga": "", "system:freedesktop/stereo/a/b.oga": "",
    ]
    #expect(try find(name, files) == "missing")
  }

  @Test("No theme's list of folders leads out of it")
  func folders() throws {
    let (home, folders) = try stage([
      "system:freedesktop/index.theme": "[Sound Theme]\nDirectories=../..,../../..\n"
    ])
    try home.write("", to: "system/secret.oga")
    try home.write("", to: "secret.oga")
    #expect(SoundThemes(folders: folders).find("secret") == .missing)
  }

  @Test("The installed freedesktop theme is read")
  func installed() {
    let themes = SoundThemes(folders: ["/usr/local/share", "/usr/share"])
    let path = "/usr/share/sounds/freedesktop/stereo/message-new-instant.oga"
    guard FileManager.default.fileExists(atPath: path) else { return }
    #expect(themes.find("message-new-instant") == .file(path))
    #expect(themes.find("message-new-email") == .file("/usr/share/sounds/freedesktop/stereo/message.oga"))
  }
}

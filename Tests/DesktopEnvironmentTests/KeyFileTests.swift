import Foundation
import NotificationBridge
import Testing

@testable import DesktopEnvironment

@Suite("Key files")
struct KeyFileTests {
  private let text = #"""
    # A comment
    [First]
    plain=some text
    escaped=\sa\tb\nc\\d\r
    empty=
    list=one;two\;half;;three;
    tail=one;two
    yes=true
    no=false
    maybe=perhaps
    number=-12
    broken=a\qb
    ending=a\
    Name=Mail
    Name[de]=Post
    Name[pt_BR]=Correio

    [Second group]
    plain=other
    """#

  private func keyFile(_ text: String) throws -> KeyFile { try KeyFile(Array(text.utf8), name: "test.conf") }

  @Test("Groups and keys come in order, values without their escapes")
  func values() throws {
    let file = try keyFile(text)
    #expect(file.groups == ["First", "Second group"])
    #expect(file.keys(of: "First").prefix(3) == ["plain", "escaped", "empty"])
    #expect(file.keys(of: "Third").isEmpty)
    #expect(try file.string("plain", in: "First") == "some text")
    #expect(try file.string("plain", in: "Second group") == "other")
    #expect(try file.string("escaped", in: "First") == " a\tb\nc\\d\r")
    #expect(try file.string("empty", in: "First") == "")
    #expect(try file.string("missing", in: "First") == nil)
    #expect(try file.string("plain", in: "Third") == nil)
    #expect(try file.strings("list", in: "First") == ["one", "two;half", "", "three"])
    #expect(try file.strings("tail", in: "First") == ["one", "two"])
    #expect(try file.strings("empty", in: "First") == [])
    #expect(try file.boolean("yes", in: "First") == true)
    #expect(try file.boolean("no", in: "First") == false)
    #expect(try file.boolean("missing", in: "First") == nil)
    #expect(try file.integer("number", in: "First") == -12)
  }

  @Test("A text is given in the first language that it is there in")
  func languages() throws {
    let file = try keyFile(text)
    #expect(try file.string("Name", in: "First", languages: ["de_AT", "de"]) == "Post")
    #expect(try file.string("Name", in: "First", languages: ["fr", "pt_BR", "de"]) == "Correio")
    #expect(try file.string("Name", in: "First", languages: ["fr"]) == "Mail")
    #expect(Languages(environment: ["LANG": "de_DE.UTF-8@euro"]).names == ["de_DE@euro", "de_DE", "de@euro", "de"])
    let listed = Languages(environment: ["LANG": "en_GB.UTF-8", "LANGUAGE": "pt_BR:de"])
    #expect(listed.names == ["pt_BR", "pt", "de"])
    #expect(Languages(environment: ["LC_ALL": "C.UTF-8", "LANG": "de_DE", "LANGUAGE": "de"]).names == [])
    #expect(Languages(environment: ["LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "de_DE"]).names == ["fr_FR", "fr"])
    #expect(Languages(environment: [:]).names == [])
  }

  @Test("A value that is malformed is an error that names file, key and value")
  func badValues() throws {
    let file = try keyFile(text)
    for (key, value) in [("broken", #"a\qb"#), ("ending", #"a\"#)] {
      let error = #expect(throws: KeyFileError.self) { try file.string(key, in: "First") }
      for part in ["test.conf", "First", key, value] { #expect(error?.description.contains(part) == true) }
    }
    #expect(throws: KeyFileError.self) { try file.boolean("maybe", in: "First") }
    #expect(throws: KeyFileError.self) { try file.integer("yes", in: "First") }
  }

  @Test("A line that is none of group, key or comment is an error that shows it")
  func badLines() throws {
    let error = #expect(throws: KeyFileError.self) { try keyFile("[First]\nthis is nothing\n") }
    #expect(error?.description.contains("test.conf") == true)
    #expect(error?.description.contains("this is nothing") == true)
    #expect(throws: KeyFileError.self) { try keyFile("key=without group\n") }
    #expect(throws: KeyFileError.self) { try KeyFile([0x5B, 0xFF, 0xFE, 0x00, 0x5D, 0x0A, 0x41], name: "test.conf") }
    for empty in ["", "\n", "# nothing but this\n", "[Group]"] { #expect(try keyFile(empty).keys(of: "Group") == []) }
  }

  @Test("A file that is missing is told from one that cannot be read, and nothing waits")
  func files() async throws {
    let missing = #expect(throws: KeyFileError.self) { try KeyFile(file: "/nonexistent/file.conf") }
    #expect(missing?.isMissing == true && missing?.file == "/nonexistent/file.conf")
    for path in ["/", "/dev/zero"] {
      let error = #expect(throws: KeyFileError.self) { try KeyFile(file: path) }
      #expect(error?.isMissing == false)
    }
    try await withTemporaryFolder { folder in
      let path = folder + "/file.conf"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try KeyFile(file: path).groups.count == 2)
      #expect(unsafe truncate(path, (1 << 20) + 1) == 0)
      #expect(throws: KeyFileError.self) { try KeyFile(file: path) }
    }
  }
}

@Suite("Desktop entries")
struct DesktopEntryTests {
  @Test("Folders come from the environment, and relative or empty ones do not count")
  func folders() {
    let standard = XDGPaths(environment: [:], home: "/home/ann")
    #expect(standard.dataHome == "/home/ann/.local/share" && standard.stateHome == "/home/ann/.local/state")
    #expect(standard.configHome == "/home/ann/.config" && standard.cacheHome == "/home/ann/.cache")
    #expect(standard.dataDirectories == ["/usr/local/share", "/usr/share"])
    #expect(standard.configDirectories == ["/etc/xdg"] && standard.runtimeDirectory == nil)
    let set = XDGPaths(environment: [
      "HOME": "/home/bob/", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "",
      "XDG_DATA_DIRS": "/one/:relative::/two", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_CONFIG_DIRS": ":",
    ])
    #expect(set.home == "/home/bob" && set.dataHome == "/data")
    #expect(set.configHome == "/home/bob/.config" && set.stateHome == "/home/bob/.local/state")
    #expect(set.dataSearchPath == ["/data", "/one", "/two"])
    #expect(set.configSearchPath == ["/home/bob/.config", "/etc/xdg"] && set.runtimeDirectory == "/run/user/7")
    #expect(XDGPaths(environment: [:]).home.hasPrefix("/"))
    #expect(XDGPaths(environment: [:], home: "/").dataHome == "/.local/share")
  }

  @Test("Entries are found in order of the folders, dashes standing for folders too")
  func search() async throws {
    try await withTemporaryFolder { folder in
      let paths = XDGPaths(environment: ["XDG_DATA_DIRS": "\(folder)/one:\(folder)/two"], home: folder + "/home")
      func put(_ name: String, _ text: String) throws {
        let file = URL(filePath: folder + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ("[Desktop Entry]\nType=Application\n" + text).write(to: file, atomically: true, encoding: .utf8)
      }
      try put("one/applications/org.example.Mail.desktop", "Name=Mail\nName[de]=Post\nIcon=mail\nExec=mail %U\n")
      try put("two/applications/org.example.Mail.desktop", "Name=Other\n")
      try put(
        "two/applications/kde/office-suite/words.desktop",
        "Name=Words\nDBusActivatable=true\nX-GNOME-UsesNotifications=true\n")
      try put("home/.local/share/applications/gone.desktop", "Name=Gone\nHidden=true\n")
      try put("one/applications/gone.desktop", "Name=Gone\n")
      try put("one/applications/broken.desktop", "Name=Broken\nthis is nothing\n")
      try put("one/applications/link.desktop", "Name=Link\nType=Link\n")
      try put("outside.desktop", "Name=Outside\n")

      let mail = try #require(try DesktopEntry.find("org.example.Mail", in: paths, languages: ["de"]))
      #expect(
        mail.name == "Post" && mail.icon == "mail" && mail.exec == "mail %U" && mail.identifier == "org.example.Mail")
      #expect(!mail.isDBusActivatable && mail.usesNotifications == nil)
      #expect(mail.file == folder + "/one/applications/org.example.Mail.desktop")
      #expect(try DesktopEntry.find("org.example.Mail.desktop", in: paths)?.name == "Mail")
      let words = try #require(try DesktopEntry.find("kde-office-suite-words", in: paths))
      #expect(words.name == "Words" && words.isDBusActivatable && words.usesNotifications == true)
      for name in [
        "gone", "link", "missing", "", ".", "..", "../../outside", "-", "--", "kde-", "a\0b",
        String(repeating: "-", count: 300), String(repeating: "a-", count: 90),
      ] {
        #expect(try DesktopEntry.find(name, in: paths) == nil, "\(name)")
      }
      let error = #expect(throws: KeyFileError.self) { try DesktopEntry.find("broken", in: paths) }
      #expect(error?.description.contains("this is nothing") == true)
    }
  }
}

@Suite("Content types")
struct ContentTypeTests {
  @Test("A type is told by content, by name, and by both")
  func types() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    #expect(ContentType(name: nil, head: png).mimeType == "image/png")
    #expect(ContentType(name: "song.mp3").mimeType == "audio/mpeg")
    #expect(ContentType(name: "photo.jpg").mimeType == "image/jpeg")
    #expect(try #require(ContentType(file: fixture("cmyk.jpg"))).mimeType == "image/jpeg")
    // Without a picture's extension, what is in it counts.
    #expect(ContentType(name: nil, head: Array("<!DOCTYPE html><html>".utf8)).mimeType == "text/html")
    #expect(ContentType(name: nil).mimeType == "application/octet-stream")
    #expect(ContentType(file: "/dev/zero") == nil && ContentType(file: "/nonexistent") == nil)
  }
}

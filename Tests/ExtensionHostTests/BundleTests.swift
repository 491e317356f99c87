import ExtensionHost
import Foundation
import NotificationBridge
import TestSupport
import Testing

/// What is read of bundles, and what is said of those that are broken.
@Suite("Bundles", .timeLimit(.minutes(1)))
struct BundleTests {
  private let application = BundleStage.application.identifier

  @Test("a content extension is found by each of its categories, with all that its bundle says")
  func content() throws {
    let stage = try BundleStage()
    try stage.install(
      "Draw",
      BundleStage.list(
        BundleStage.content(
          "<array><string>meeting</string><string>call</string></array>",
          "<key>UNNotificationExtensionDefaultContentHidden</key><true/>"
            + "<key>UNNotificationExtensionOverridesDefaultTitle</key><true/>"
            + "<key>UNNotificationExtensionUserInteractionEnabled</key><true/>")))
    let expected = ContentExtension(
      name: "Draw", categories: ["meeting", "call"], hidesDefaultContent: true, overridesTitle: true, sizeRatio: 0.5,
      isInteractive: true)
    #expect(stage.host.contentExtension(of: application, for: "meeting") == expected)
    #expect(stage.host.contentExtension(of: application, for: "call") == expected)
    #expect(stage.host.contentExtension(of: application, for: "other") == nil)
    #expect(stage.host.contentExtension(of: "org.example.Other", for: "call") == nil)
    #expect(!stage.host.hasService(of: application))
    #expect(stage.host.problems.isEmpty)
  }

  @Test("the category may be one text, and what is not said is at its default")
  func oneCategory() throws {
    let stage = try BundleStage()
    try stage.install("Draw", BundleStage.list(BundleStage.content("<string>call</string>")))
    #expect(
      stage.host.contentExtension(of: application, for: "call")
        == ContentExtension(name: "Draw", categories: ["call"], sizeRatio: 0.5))
  }

  @Test("the program and the list may be in the folders that Apple's bundles have")
  func contentsFolder() throws {
    let stage = try BundleStage()
    let place = "data/notify-bridge/extensions/\(application)/Deep.appex/Contents"
    let program = try stage.home.write("#!/bin/sh\n", to: "\(place)/MacOS/run", permissions: 0o700)
    try stage.home.write(BundleStage.list(BundleStage.service), to: "\(place)/Info.plist")
    #expect(stage.host.catalog.extensions(of: application).service?.executable == program)
  }

  @Test("what is installed, changed and removed counts without a restart")
  func changes() throws {
    let stage = try BundleStage()
    #expect(!stage.host.hasService(of: application))
    let folder = try stage.install("Change", BundleStage.list(BundleStage.service))
    #expect(stage.host.hasService(of: application))
    try stage.install("Change", BundleStage.list(BundleStage.content("<string>call</string>")))
    #expect(!stage.host.hasService(of: application))
    #expect(stage.host.contentExtension(of: application, for: "call") != nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/run")
    #expect(stage.host.contentExtension(of: application, for: "call") == nil || getuid() == 0)
    try FileManager.default.removeItem(atPath: folder)
    #expect(stage.host.contentExtension(of: application, for: "call") == nil)
  }

  @Test("the user's extension stands in for the system's of the same name")
  func shadows() throws {
    let stage = try BundleStage()
    try stage.install("Same", BundleStage.list(BundleStage.service), in: "system")
    #expect(stage.host.hasService(of: application))
    let path = try stage.install("Same", BundleStage.list(BundleStage.service))
    let found = stage.host.catalog.extensions(of: application)
    #expect(found.service?.path == path)
    #expect(found.overridden.map(\.name) == ["Same"] && found.problems.isEmpty)
  }

  @Test("two content extensions for one category are both refused, by name; others and other categories work")
  func conflict() throws {
    let stage = try BundleStage()
    let list = "<array><string>%</string><string>call</string></array>"
    for name in ["First", "Second"] {
      try stage.install(
        name,
        BundleStage.list(BundleStage.content(list.replacingOccurrences(of: "%", with: name))))
    }
    try stage.install("Change", BundleStage.list(BundleStage.service))
    #expect(stage.host.contentExtension(of: application, for: "call") == nil)
    #expect(stage.host.contentExtension(of: application, for: "First")?.name == "First")
    #expect(stage.host.hasService(of: application))
    let problems = stage.host.problems
    #expect(problems.count == 1)
    for word in ["'First'", "'Second'", "'call'"] { #expect(problems.first?.contains(word) == true) }
    #expect(stage.messages.components(separatedBy: "'First' and 'Second'").count == 2, "it is logged once")
  }

  @Test("two service extensions of one application are both refused, by name")
  func twoServices() throws {
    let stage = try BundleStage()
    for name in ["First", "Second"] { try stage.install(name, BundleStage.list(BundleStage.service)) }
    #expect(!stage.host.hasService(of: application))
    #expect(stage.host.problems.first?.contains("'First' and 'Second'") == true)
  }

  @Test(
    "a broken bundle is reported by path and key, and the others work",
    arguments: [
      ("no list", "Info.plist"),
      (BundleStage.list(BundleStage.service, executable: "<string>none</string>"), "CFBundleExecutable"),
      (BundleStage.list(BundleStage.service, executable: "<string>../run</string>"), "CFBundleExecutable"),
      (BundleStage.list(BundleStage.service, executable: "<string>/bin/sh</string>"), "CFBundleExecutable"),
      (BundleStage.list(BundleStage.service, executable: "<string>out</string>"), "leads out of the bundle"),
      (BundleStage.list(BundleStage.service, executable: "<true/>"), "CFBundleExecutable"),
      (BundleStage.list("<key>NSExtensionPointIdentifier</key><string>com.apple.share</string>"), "com.apple.share"),
      (BundleStage.list(""), "NSExtensionPointIdentifier: is missing"),
      (BundleStage.list(BundleStage.content("<integer>3</integer>")), "UNNotificationExtensionCategory"),
      (BundleStage.list(BundleStage.content("<array/>")), "UNNotificationExtensionCategory"),
      (BundleStage.list(BundleStage.content("<string></string>")), "UNNotificationExtensionCategory"),
      (
        BundleStage.list(
          BundleStage.content(
            "<string>a</string>", "<key>UNNotificationExtensionDefaultContentHidden</key><real>1</real>")),
        "UNNotificationExtensionDefaultContentHidden"
      ), ("<plist><dict>", "Info.plist"),
    ])
  func broken(list: String, word: String) throws {
    let stage = try BundleStage()
    let path = try stage.install("Broken", list)
    try FileManager.default.createSymbolicLink(atPath: "\(path)/out", withDestinationPath: "/bin/sh")
    if list == "no list" { try FileManager.default.removeItem(atPath: "\(path)/Info.plist") }
    try stage.install("Good", BundleStage.list(BundleStage.content("<string>good</string>")))
    let problems = stage.host.problems
    #expect(problems.count == 1)
    #expect(problems.first?.contains(path) == true && problems.first?.contains(word) == true, "\(problems)")
    #expect(stage.host.contentExtension(of: application, for: "good") != nil)
    #expect(!stage.host.hasService(of: application))
  }

  @Test("a bundle's name cannot steer a terminal or the log")
  func strangeName() throws {
    let stage = try BundleStage()
    try stage.install("\u{1B}[31m\n\u{202E}x", "no list")
    let problem = try #require(stage.host.problems.first)
    #expect(problem.contains("\\u{1b}[31m\\u{a}\\u{202e}x.appex/Info.plist: "), "\(problem)")
    #expect(!problem.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  @Test("an application's name is never a way to another folder")
  func names() throws {
    let stage = try BundleStage()
    try stage.install("Change", BundleStage.list(BundleStage.service), of: "b")
    #expect(stage.host.hasService(of: "b"))
    for name in ["", ".", "..", "a/../b", "./b", "b/", "b\0c"] { #expect(!stage.host.hasService(of: name)) }
  }

  @Test("a program that everybody may change is not run")
  func openToAll() throws {
    let stage = try BundleStage()
    let path = try stage.install("Change", BundleStage.list(BundleStage.service))
    #expect(stage.host.hasService(of: application))
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(path)/run")
    #expect(!stage.host.hasService(of: application))
    #expect(stage.host.problems.first?.contains("chmod o-w") == true)
  }
}

import Foundation
import TestSupport
import Testing

/// The Swift code in the pages.
@Suite(.timeLimit(.minutes(2))) struct SwiftBlockTests {
  @Test("every Swift example of the pages is one that was compiled", arguments: try Page.all())
  func compiled(page: Page) throws {
    let examples = try Examples()
    for block in page.blocks where block.language == "swift" && !Self.isManifest(block) {
      #expect(
        examples.have(block.lines),
        "\(page.path):\(block.line): these lines are in no file of Tests/DocumentationTests/Examples:\n\(block.text)")
    }
  }

  @Test("what pages say of a Package.swift is what SwiftPM reads", arguments: try Page.all())
  func manifests(page: Page) async throws {
    for block in page.blocks where block.language == "swift" && Self.isManifest(block) {
      let home = try TemporaryHome()
      try home.write(
        "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: \"App\",\n\(block.text))\n",
        to: "App/Package.swift")
      let result = try await BinaryRunner.run(
        "swift", ["package", "--package-path", "\(home.path)/App", "dump-package"],
        environment: home.environment.mapValues { $0 }, timeLimit: .seconds(90))
      #expect(result.status == 0, "\(page.path):\(block.line): \(result.errors)")
      #expect(result.output.contains("\"UserNotifications\""), "\(page.path):\(block.line)")
    }
  }

  private static func isManifest(_ block: Page.Block) -> Bool {
    block.lines.first?.hasPrefix("dependencies: [") == true
  }

  @Test("the pages have code to be checked, and every fence says of which kind")
  func kinds() throws {
    let pages = try Page.all()
    let known: Set<String> = ["swift", "sh", "json", "text", "xml", "ini"]
    for page in pages {
      for block in page.blocks { #expect(known.contains(block.language), "\(page.path):\(block.line)") }
    }
    #expect(pages.count >= 11)
    #expect(pages.flatMap(\.blocks).count { $0.language == "swift" } >= 15)
  }

  @Test("a line more, less, changed or elsewhere is seen")
  func drift() {
    let examples = Examples(["enum A {\n  func b() {\n    c()\n    d()\n  }\n\n  e\n}\n", "f\n\ng"])
    for good in ["func b() {\n  c()\n  d()\n}", "c()", "  c()\n  d()", "enum A {", "c()\n\ne", "f\n\ng"] {
      #expect(examples.have(good.components(separatedBy: "\n")), "\(good)")
    }
    for bad in ["c()\nd", "func b() {\nc()\nd()\n}", "d()\nc()", "e\n\nc()", "c()\n\nf", "g\n\nh", ""] {
      #expect(!examples.have(bad.components(separatedBy: "\n")), "\(bad)")
    }
  }
}

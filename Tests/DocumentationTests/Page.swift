import Foundation
import TestSupport
import Testing

/// A page of the documentation and the code in it.
struct Page: Sendable, CustomTestStringConvertible {
  /// Code between two fences.
  struct Block: Sendable {
    /// What stands behind the first fence.
    let language: String
    /// The number of the line after the first fence, from 1.
    let line: Int
    let lines: [String]
    var text: String { lines.joined(separator: "\n") + "\n" }
  }

  /// Below the package's folder.
  let path: String
  let blocks: [Block]

  var testDescription: String { path }

  /// The pages of both catalogues, and those beside Package.swift that show how to use it.
  static func all() throws -> [Page] {
    var paths = ["README.md"]
    for product in ["UserNotifications", "UserNotificationsUI"] {
      let folder = "Sources/\(product)/\(product).docc"
      let names = try FileManager.default.contentsOfDirectory(atPath: Binaries.file(folder))
      paths += names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return try paths.map(Page.init(path:))
  }

  init(path: String) throws {
    let text = try String(contentsOfFile: Binaries.file(path), encoding: .utf8)
    self.path = path
    blocks = try Self.blocks(of: text)
  }

  static func blocks(of text: String) throws -> [Block] {
    var blocks: [Block] = []
    var open: (language: String, line: Int, lines: [String])?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        blocks.append(Block(language: block.language, line: block.line, lines: block.lines))
        open = nil
      } else {
        open = (String(line.dropFirst(3)), index + 2, [])
      }
    }
    if let open { throw RunnerError("the code from line \(open.line) on has no end") }
    return blocks
  }
}

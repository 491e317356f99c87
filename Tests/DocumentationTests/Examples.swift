import Foundation
import TestSupport

/// The sources in the folder Examples, which the compiler has taken as part of this target.
struct Examples {
  private let files: [[String]]

  init() throws {
    let folder = try Binaries.file("Tests/DocumentationTests/Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    files = try names.sorted().map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).components(separatedBy: "\n")
    }
  }

  init(_ texts: [String]) { files = texts.map { $0.components(separatedBy: "\n") } }

  /// Whether a file has the lines: each paragraph as it is but for its indentation, and all in this order.
  func have(_ lines: [String]) -> Bool {
    let paragraphs = lines.split(whereSeparator: \.isEmpty).map(Array.init)
    return !paragraphs.isEmpty && files.contains { file in Self.has(file, paragraphs) }
  }

  private static func has(_ file: [String], _ paragraphs: [[String]]) -> Bool {
    var start = 0
    for paragraph in paragraphs {
      let place = (start..<max(start, file.count - paragraph.count + 1)).first { place in
        equal(file[place..<place + paragraph.count], paragraph[...])
      }
      guard let place else { return false }
      start = place + paragraph.count
    }
    return true
  }

  /// Both may be indented, as a whole.
  private static func equal(_ one: ArraySlice<String>, _ other: ArraySlice<String>) -> Bool {
    func flush(_ lines: ArraySlice<String>) -> [Substring] {
      let depth = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      return lines.map { $0.dropFirst(depth) }
    }
    return flush(one) == flush(other)
  }
}

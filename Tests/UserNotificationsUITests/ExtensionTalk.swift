import Foundation
import NotificationBridge
import TestSupport

/// An extension's program, and a test in the bridge's place: a JSON object on a line each way.
final class ExtensionTalk {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var rest = Data()

  init(_ program: String, _ arguments: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: try Binaries.debugProduct(program))
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  func tell(_ message: ExtensionMessage) throws {
    var line = try JSONEncoder().encode(message.document)
    line.append(UInt8(ascii: "\n"))
    try input.fileHandleForWriting.write(contentsOf: line)
  }

  /// The next message; the test's time limit holds.
  func next() throws -> ExtensionMessage {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[rest.startIndex..<end]
        rest = Data(rest[rest.index(after: end)...])
        let document = try JSONDecoder().decode([String: PropertyValue].self, from: line)
        return try ExtensionMessage(document: document, named: "message")
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw DidNotHappen("a message: the program has ended: \(complaint)") }
      rest.append(more)
    }
  }

  /// Tells it and takes all that comes up to its answer.
  func ask(_ message: ExtensionMessage) throws -> [ExtensionMessage] {
    try tell(message)
    var answers = [try next()]
    if case .response = message {
      while true {
        if case .done = answers[answers.count - 1] { break }
        answers.append(try next())
      }
    }
    return answers
  }

  /// Ends the talk, and waits for the program's end.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until it has written that for people; the test's time limit holds.
  func waitForComplaint(_ text: String) {
    var said = ""
    while !said.contains(text) {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { return }
      said += String(decoding: more, as: UTF8.self)
    }
  }

  /// All that it wrote for people, once it has ended.
  lazy var complaint: String = {
    try? input.fileHandleForWriting.close()
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }()
}

extension RequestRecord {
  static func pushed(_ identifier: String, title: String, body: String = "body") -> RequestRecord {
    var request = plain(identifier, title: title, body: body)
    request.trigger = .push
    return request
  }
}

extension NotificationRecord {
  static func sample(_ identifier: String = "n") -> NotificationRecord {
    NotificationRecord(
      application: ApplicationRecord(identifier: "org.example.App", name: "App"),
      request: .plain(identifier, title: "Title", body: "Body"), date: Date(timeIntervalSince1970: 1_700_000_000))
  }
}

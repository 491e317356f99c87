// store-writer FOLDER hold             opens the store, says "open" and waits for its input to end
// store-writer FOLDER write NUMBER     commits from that number on, each commit of several parts, and says the number
//                                      of each once it returned; until it is killed
// For the tests of the store. Ends with 1 and the error's text on standard error.

import BridgeStore
import Foundation
import NotificationBridge

struct Silence: BridgeLog {
  func write(_ level: LogLevel, _ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

/// The parts of commit `number`: a request comes, another goes, and each table is touched.
func changes(_ number: Int) -> [StoreChange] {
  func row(_ number: Int) -> PendingRow {
    var content = ContentRecord()
    content.title = "\(number)"
    content.body = String(repeating: "text \(number) ", count: number % 7 * 40)
    let date = Date(timeIntervalSinceReferenceDate: Double(number))
    return PendingRow(
      request: RequestRecord(identifier: "n\(number)", content: content),
      application: ApplicationRecord(identifier: "app", name: "App"),
      entry: PendingEntry(
        key: NotificationKey(application: "app", identifier: "n\(number)"), addedAt: date, due: date,
        order: UInt64(number), followsZone: false))
  }
  let new = row(number)
  return [
    .putPending(new), .removePending(NotificationKey(application: "app", identifier: "n\(number - 20)")),
    .putQueued(QueuedRow(number: UInt64(number), request: new.request, application: new.application)),
    .removeQueued(number: UInt64(max(number - 5, 0))), .setBadge("app", number),
    .note(
      HistoryRecord(
        sequence: Int64(number), date: new.entry.due, application: "app", identifier: "n\(number)", event: .added)),
  ]
}

func run() throws {
  let arguments = CommandLine.arguments
  guard arguments.count >= 3 else { throw BridgeError(.invalidRequest, "store-writer FOLDER hold|write [NUMBER]") }
  let store = try SQLiteStore(folder: arguments[1], limits: HistoryLimits(entries: 100), log: Silence())
  _ = try store.load()
  if arguments[2] == "hold" {
    say("open")
    _ = FileHandle.standardInput.readDataToEndOfFile()
    store.close()
    return
  }
  var number = Int(arguments[3]) ?? 1
  while true {
    try store.commit(changes(number), durably: number % 3 == 0)
    say("\(number)")
    number += 1
  }
}

do {
  try run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

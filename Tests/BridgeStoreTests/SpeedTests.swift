import Foundation
import NotificationBridge
import Testing

@testable import BridgeStore

/// Numbers to look at, on standard output; nothing fails but what must hold anyway.
@Suite("How fast the store is", .serialized)
struct SpeedTests {
  private let clock = ContinuousClock()

  private func show(_ what: String, _ count: Int, _ duration: Duration) {
    let each = duration / count / .microseconds(1)
    print(
      "store: \(what): \(duration.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))), "
        + "\(each.formatted(.number.precision(.fractionLength(1)))) µs each")
  }

  @Test("Starting with many pending requests", .timeLimit(.minutes(3)), arguments: [10_000, 100_000])
  func load(count: Int) throws {
    let fixture = try StoreFixture()
    do {
      let store = try fixture.open()
      let rows = (0..<count).map {
        StoreChange.putPending(
          pendingRow(UUID().uuidString, application: "org.example.Application\($0 % 200)", order: UInt64($0)))
      }
      let time = try clock.measure { try store.commit(rows, durably: true) }
      show("adding \(count) pending requests in one commit", count, time)
      show("closing", 1, clock.measure { store.close() })
    }
    var loaded = 0
    var store: SQLiteStore?
    show("opening and loading with \(count) pending requests", 1, try clock.measure { store = try fixture.open() })
    show("loading \(count) pending requests", count, try clock.measure { loaded = try store!.load().pending.count })
    #expect(loaded == count)
    let keys = try store!.load().pending.prefix(1_000).map(\.key)
    show(
      "reading a request", keys.count,
      try clock.measure { for key in keys where try store!.pendingRequest(key) == nil { loaded = 0 } })
    #expect(loaded == count)
  }

  @Test("Commits")
  func commits() throws {
    let store = try StoreFixture().open()
    let row = pendingRow("1")
    for durably in [false, true] {
      let count = durably ? 200 : 2_000
      let time = try clock.measure {
        for number in 1...count {
          try store.commit(
            [
              .putQueued(QueuedRow(number: UInt64(number), request: row.request, application: row.application)),
              .note(event(0)),
            ], durably: durably)
        }
      }
      show("a commit of a delivery and an event, durably: \(durably)", count, time)
    }
  }

  @Test("JSON text")
  func text() throws {
    var generator = RecordGenerator(seed: 5)
    let documents = (0..<500).map { _ in generator.request("x").document }
    var texts: [[UInt8]] = []
    show("writing a document", 500, try clock.measure { texts = try documents.map { try JSONText.write($0) } })
    show(
      "reading a document of \(texts.map(\.count).reduce(0, +) / 500) bytes", 500,
      try clock.measure { for text in texts { _ = try JSONText.read(text.span) } })
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
    var encoded: [Data] = []
    show(
      "the same, writing by JSONEncoder", 500,
      try clock.measure { encoded = try documents.map { try encoder.encode($0) } })
    show(
      "the same, reading by JSONDecoder", 500,
      try clock.measure { for data in encoded { _ = try decoder.decode([String: PropertyValue].self, from: data) } })
  }
}

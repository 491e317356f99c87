import DBus
import Foundation
import TestSupport
import Testing

/// Dates as the built bridge finds them: in a static program the libraries' own time zones are all GMT.
@Suite(.timeLimit(.minutes(2))) struct BridgeDateTests {
  private static func instant(_ text: String) -> Double? {
    (try? Date.ISO8601FormatStyle().parse(text))?.timeIntervalSince1970
  }

  /// A rule written as `hour=8 minute=30`, as a trigger.
  private static func trigger(_ text: String, zone: String?) -> Value {
    var entries: [(String, Value)] = text.split(separator: " ").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], Int64(parts[1]).map { .int64($0) } ?? .string(parts[1]))
    }
    if let zone { entries.append(("timeZone", .string(zone))) }
    return .properties([("calendar", .properties(entries)), ("repeats", .boolean(true))])
  }

  @Test(
    "C074, C075, C078, C079: in whatever zone it runs, it finds the dates that a search from minute to minute finds",
    arguments: ["Europe/Berlin", "America/New_York"])
  func dates(zone: String) async throws {
    let fixture = try await BridgeFixture(variables: ["TZ": zone])
    let file = try Binaries.file("Tests/NotificationBridgeTests/Data/fire-dates.tsv")
    let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(rows.count >= 1000)
    let searched = try #require(Self.instant("2029-01-01T00:00:00Z"))
    var following = 0
    for row in rows {
      let cells = row.split(separator: "\t").map(String.init)
      try #require(cells.count == 4)
      for named in cells[0] == zone ? [cells[0], nil] : [cells[0]] {
        if named == nil { following += 1 }
        let call = MethodCall(
          to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "NextDate",
          [Self.trigger(cells[2], zone: named), .double(try #require(Self.instant(cells[1])))])
        var found: Double?
        do {
          if case .double(let due) = try await fixture.connection.call(call).body[0], due < searched { found = due }
        } catch {
          #expect(error.name?.text == "org.notifybridge.Error.NoDate", "\(row): \(error)")
        }
        #expect(found == Self.instant(cells[3]), "\(row)")
      }
    }
    #expect(following > 50)
  }
}

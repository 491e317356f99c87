import Foundation
import NotificationBridge
import Testing

@testable import DesktopEnvironment

@Suite("Time zones of the system")
struct SystemZonesTests {
  private let zones = SystemZones(environment: [:])

  private func seconds(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  /// The instant of a wall-clock time written as if it were in GMT, written likewise.
  private func instant(_ text: String, _ zone: String) throws -> String {
    let found = zones.instant(of: try seconds(text), in: zone)
    return Date(timeIntervalSince1970: Double(found)).formatted(.iso8601)
  }

  @Test(
    "A wall-clock time has one instant: the first of two, the end of the gap for none",
    arguments: [
      ("America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T05:30:00Z"),
      ("America/New_York", "2026-11-01T00:59:59Z", "2026-11-01T04:59:59Z"),
      ("America/New_York", "2026-11-01T02:00:00Z", "2026-11-01T07:00:00Z"),
      ("America/New_York", "2026-03-08T01:59:59Z", "2026-03-08T06:59:59Z"),
      ("America/New_York", "2026-03-08T02:00:00Z", "2026-03-08T07:00:00Z"),
      ("America/New_York", "2026-03-08T02:30:00Z", "2026-03-08T07:00:00Z"),
      ("America/New_York", "2026-03-08T03:00:00Z", "2026-03-08T07:00:00Z"),
      ("Europe/Berlin", "2099-07-01T12:00:00Z", "2099-07-01T10:00:00Z"),
      // Half an hour, and south of the equator.
      ("Australia/Lord_Howe", "2026-10-04T02:15:00Z", "2026-10-03T15:30:00Z"),
      ("Australia/Lord_Howe", "2026-04-05T01:45:00Z", "2026-04-04T14:45:00Z"),
      ("Australia/Sydney", "2026-10-04T02:30:00Z", "2026-10-03T16:00:00Z"),
      ("Australia/Sydney", "2026-04-05T02:30:00Z", "2026-04-04T15:30:00Z"),
      // Winter is the exception in Ireland, and GLib errs about the time after 2037.
      ("Europe/Dublin", "2026-03-29T01:30:00Z", "2026-03-29T01:00:00Z"),
      ("Europe/Dublin", "2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z"),
      ("Europe/Dublin", "2060-01-15T12:00:00Z", "2060-01-15T12:00:00Z"),
      ("Europe/Dublin", "2060-07-15T12:00:00Z", "2060-07-15T11:00:00Z"),
      // A day that was left out, and midnights that were.
      ("Pacific/Apia", "2011-12-30T12:00:00Z", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-29T23:59:59Z", "2011-12-30T09:59:59Z"),
      ("Africa/Cairo", "2026-04-24T00:30:00Z", "2026-04-23T22:00:00Z"),
      ("America/Nuuk", "2024-03-30T22:30:00Z", "2024-03-31T00:30:00Z"),
      ("America/Nuuk", "2024-03-30T23:30:00Z", "2024-03-31T01:00:00Z"),
      // Long ago: local mean time.
      ("Europe/Berlin", "1890-01-01T00:00:00Z", "1889-12-31T23:06:32Z"),
      ("UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
      ("+05:30", "2026-01-01T05:30:00Z", "2026-01-01T00:00:00Z"),
      ("GMT+0530", "2026-01-01T05:30:00Z", "2026-01-01T00:00:00Z"),
      ("GMT-3", "2026-01-01T05:30:00Z", "2026-01-01T08:30:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T12:00:00Z", "2026-07-01T10:00:00Z"),
    ])
  func instants(_ zone: String, _ wallClock: String, _ expected: String) throws {
    #expect(try instant(wallClock, zone) == expected)
  }

  @Test("Offsets and instants fit together in every zone from 1970 to 2100, gaps and overlaps included")
  func everyZone() throws {
    let names = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
      .split(separator: "\n").filter { $0.hasPrefix("Z ") }.map { String($0.split(separator: " ")[1]) }
    #expect(names.count > 300)
    for name in names {
      try #require(zones.knows(name), "\(name)")
      // A step that is no multiple of days, so that all times of day and year come up.
      var instant = try seconds("1970-01-01T00:00:00Z")
      let end = try seconds("2100-01-01T00:00:00Z")
      while instant < end {
        let wallClock = instant + Int64(zones.offset(of: name, at: instant))
        let first = zones.instant(of: wallClock, in: name)
        // The same, or the first of two with the same wall-clock time.
        try #require(first <= instant, "\(name) \(instant)")
        try #require(first + Int64(zones.offset(of: name, at: first)) == wallClock, "\(name) \(instant)")
        instant += 97 * 86400 + 4567
      }
    }
  }

  @Test("Offsets are those of Foundation's own reader of the tz database")
  func foundation() throws {
    for name in ["Europe/Dublin", "Africa/Casablanca", "America/Sao_Paulo", "Asia/Kathmandu", "Antarctica/Troll"] {
      let zone = try #require(TimeZone(identifier: name))
      for instant in stride(
        from: try seconds("1975-01-01T00:00:00Z"), to: try seconds("2037-06-01T00:00:00Z"), by: 500_009)
      {
        let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
        try #require(zones.offset(of: name, at: instant) == expected, "\(name) \(instant)")
      }
    }
  }

  @Test(
    "What is no zone is unknown, has offset 0, and no file of another kind is read",
    arguments: ["Mars/Olympus", "", "../../../etc/passwd", "/etc/passwd", "/dev/zero", "/", "Europe", "GMT+99", "a\0b"])
  func unknown(_ name: String) {
    #expect(!zones.knows(name))
    #expect(zones.offset(of: name, at: 0) == 0)
    #expect(zones.instant(of: 12345, in: name) == 12345)
  }

  @Test("The most extreme times are answered without a trap", arguments: [Int64.min, .min + 1, .max - 1, .max])
  func extremes(_ time: Int64) {
    for zone in ["America/New_York", "Europe/Dublin", "UTC", "Asia/Kolkata"] {
      #expect(abs(zones.offset(of: zone, at: time)) < 86400)
      #expect(abs(zones.instant(of: time, in: zone)) > 1 << 55)
    }
  }

  @Test("Names of fixed offsets are read as Foundation writes them")
  func fixedOffsets() {
    for (name, seconds) in [
      ("GMT+0200", 7200), ("GMT-0330", -12600), ("GMT+2", 7200), ("GMT+02:00", 7200), ("UTC-5", -18000),
      ("GMT+12:34:56", 45296), ("GMT+123456", 45296), ("GMT+0", 0), ("GMT-930", -34200),
    ] {
      #expect(FixedOffset(zoneName: name)?.seconds == seconds, "\(name)")
      #expect(zones.offset(of: name, at: 0) == seconds, "\(name)")
    }
    for name in ["GMT", "UTC", "GMT0", "GMT+", "GMT+19", "GMT+1:2", "GMT+01:60", "GMT+1234567", "GMT+a", "Etc/GMT+2"] {
      #expect(FixedOffset(zoneName: name) == nil, "\(name)")
    }
    // The tz database's own names of this kind have POSIX's signs.
    #expect(zones.offset(of: "Etc/GMT+2", at: 0) == -7200)
  }

  @Test(
    "The system's zone is what TZ says",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin"), (":Asia/Tokyo", "Asia/Tokyo"), ("", "UTC"), (":", "UTC"), ("Nowhere", "UTC"),
      ("/usr/share/zoneinfo/America/New_York", "America/New_York"), ("UTC+2", "GMT-02:00:00"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3"), ("/etc/passwd", "UTC"),
    ])
  func environment(_ text: String, _ expected: String) {
    #expect(SystemZones(environment: ["TZ": text]).current == expected)
  }

  @Test("Without TZ the system's zone is where /etc/localtime leads, and is looked up anew each time")
  func localTime() async throws {
    try await withTemporaryFolder { folder in
      let etc = folder + "/etc"
      try FileManager.default.createDirectory(atPath: etc, withIntermediateDirectories: true)
      let zones = SystemZones(environment: [:], root: folder)
      #expect(zones.current == "UTC")
      try "Asia/Kolkata\n".write(toFile: etc + "/timezone", atomically: true, encoding: .utf8)
      #expect(zones.current == "Asia/Kolkata")
      func link(_ target: String) throws {
        try? FileManager.default.removeItem(atPath: etc + "/localtime")
        try FileManager.default.createSymbolicLink(atPath: etc + "/localtime", withDestinationPath: target)
      }
      try link("/usr/share/zoneinfo/Europe/Berlin")
      #expect(zones.current == "Europe/Berlin" && zones.current == "Europe/Berlin")
      try link("../usr/share/zoneinfo/America/Argentina/Ushuaia")
      #expect(zones.current == "America/Argentina/Ushuaia")
      // By way of another link.
      try FileManager.default.createSymbolicLink(
        atPath: etc + "/chosen", withDestinationPath: "/usr/share/zoneinfo/Asia/Tokyo")
      try link("chosen")
      #expect(["Asia/Tokyo", "Japan"].contains(zones.current))
      try link("/usr/share/zoneinfo/Mars/Olympus")
      #expect(zones.current == "Asia/Kolkata")
      // A copy, as containers have it, and no name anywhere.
      try FileManager.default.removeItem(atPath: etc + "/localtime")
      try FileManager.default.removeItem(atPath: etc + "/timezone")
      func copy(_ zone: String) throws {
        let source = URL(filePath: "/usr/share/zoneinfo/" + zone)
        try Data(contentsOf: source).write(to: URL(filePath: etc + "/localtime"), options: .atomic)
      }
      try copy("Asia/Tokyo")
      #expect(zones.current == etc + "/localtime")
      #expect(zones.offset(of: zones.current, at: 0) == 9 * 3600)
      try copy("Asia/Kathmandu")
      #expect(zones.offset(of: zones.current, at: 1_700_000_000) == 20700)
    }
  }
}

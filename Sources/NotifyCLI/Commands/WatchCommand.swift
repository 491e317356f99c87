internal import BridgeControl
internal import NotificationBridge

/// `watch`: prints what happens to notifications while it happens.
enum WatchCommand {
  static let spec = CommandSpec(
    name: "watch", summary: "Print what happens to notifications as it happens, as lines of JSON.",
    options: [
      BridgeVerbs.app, BridgeVerbs.allApps,
      OptionSpec(
        "event", value: "KIND", repeats: true, completes: .words(HistoryRecord.Event.allCases.map(\.rawValue)),
        "only events of that kind: \(HistoryRecord.Event.allCases.map(\.rawValue).joined(separator: ", "))"),
      OptionSpec("id", value: "ID", repeats: true, "only those of that notification"),
      OptionSpec("after", value: "SEQUENCE", "begin behind the event of that number; 0: with all that is known"),
      OptionSpec("count", value: "N", "end after so many events"),
      OptionSpec("timeout", value: "TIME", "end after that time (status 15)"), SendOptions.help,
    ],
    details: """
      Each line is an object with sequence, date (seconds since 1970), application, identifier, event and, where there
      is more to say, detail. When the bridge or the bus goes away and comes back, it goes on where it was: give the last
      sequence as --after to do the same in another process. It ends with 0 after --count events or when nobody reads
      any more, 3 when the bridge stays away, 15 when the time is up, 128 and its number after SIGINT or SIGTERM.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 0, "watch")
    let filter = WatchFilter(
      events: try events(arguments.all("event")), identifiers: Set(arguments.all("id")))
    let application = try BridgeVerbs.applications(arguments, invocation)
    var after: Int64?
    if let text = arguments["after"] { after = Int64(try BridgeVerbs.number(text, "--after", 0...Int.max)) }
    var count = Int.max
    if let text = arguments["count"] { count = try BridgeVerbs.number(text, "--count", 1...Int.max) }
    var timeout: Int?
    if let text = arguments["timeout"] { timeout = try Durations.milliseconds(text, option: "--timeout") }
    return BridgeHost.session(invocation) { [after, count, timeout] session in
      let ending = WatchEnding(session.executor)
      if let timeout { ending.end(.timeLimit, after: timeout) }
      let watch = Watch(
        session: session, application: application, filter: filter, after: after, count: count, ending: ending)
      return await watch.run()
    }
  }

  private static func events(_ words: [String]) throws(UsageError) -> Set<HistoryRecord.Event> {
    var events: Set<HistoryRecord.Event> = []
    for word in words {
      guard let event = HistoryRecord.Event(rawValue: word) else {
        let names = HistoryRecord.Event.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--event \(word.quotedForPeople) is unknown: give one of \(names)")
      }
      events.insert(event)
    }
    return events
  }
}

/// Which events are printed; an empty set stands for all.
struct WatchFilter: Sendable {
  var events: Set<HistoryRecord.Event> = []
  var identifiers: Set<String> = []

  func takes(_ record: HistoryRecord) -> Bool {
    (events.isEmpty || events.contains(record.event))
      && (identifiers.isEmpty || identifiers.contains(record.identifier))
  }
}

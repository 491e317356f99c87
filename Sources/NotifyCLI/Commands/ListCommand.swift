internal import BridgeControl
internal import FoundationEssentials
internal import NotificationBridge

/// `list`: what is scheduled and what was shown.
enum ListCommand {
  static let spec = CommandSpec(
    name: "list", summary: "List what is scheduled and what was shown and is still there.",
    options: [
      OptionSpec("pending", "only what is scheduled, soonest first"),
      OptionSpec("delivered", "only what was shown, by thread and application, newest first"), BridgeVerbs.app,
      BridgeVerbs.allApps, BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      Times are local; in --json they are seconds since 1970. Status: 0 printed, 2 wrong usage, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 0, "list")
    let application = try BridgeVerbs.applications(arguments, invocation)
    let (onlyPending, onlyDelivered) = (arguments.has("pending"), arguments.has("delivered"))
    let json = arguments.has("json")
    let hasBoth = onlyPending == onlyDelivered
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      if hasBoth || onlyPending {
        let entries = try await client.pending(application).sorted { $0.due < $1.due }
        if json {
          for entry in entries { Output.json(Listing.Line(entry)) }
        } else {
          write(pending: entries, hasHeading: hasBoth)
        }
      }
      if hasBoth || onlyDelivered {
        try await write(delivered: try await client.delivered(application), client, hasHeading: hasBoth, json: json)
      }
      return .success
    }
  }

  private static func write(pending entries: [ControlClient.Pending], hasHeading: Bool) {
    guard !entries.isEmpty else { return }
    if hasHeading { Output.result("Scheduled") }
    for line in lines(pending: entries, now: Date().timeIntervalSince1970) { Output.result(line) }
  }

  static func lines(pending entries: [ControlClient.Pending], now: Double) -> [String] {
    let head = ["DUE", "", "ID", "APPLICATION", "TEXT"]
    return TextTable.lines(
      [head]
        + entries.map { entry in
          let repeats = entry.request.trigger?.repeats == true
          return [
            LocalTime.text(entry.due), LocalTime.until(entry.due, now: now) + (repeats ? ", repeats" : ""),
            entry.request.identifier.onOneLine(), entry.application.onOneLine(), Listing.text(entry.request.content),
          ]
        })
  }

  private static func write(
    delivered records: [NotificationRecord], _ client: ControlClient, hasHeading: Bool, json: Bool
  ) async throws(BridgeError) {
    let groups = Listing.groups(records)
    if !json, hasHeading, !groups.isEmpty { Output.result("Shown") }
    var lookup = ActionLookup(client)
    for group in groups {
      if !json { Output.result(group.title) }
      var rows: [[String]] = []
      for record in group.records {
        let actions = try await lookup.actions(of: record)
        if json {
          Output.json(Listing.Line(record, actions))
        } else {
          rows.append(row(record, actions))
        }
      }
      for line in TextTable.lines(rows) { Output.result("  " + line) }
    }
  }

  static func row(_ record: NotificationRecord, _ actions: [ActionRecord]) -> [String] {
    let keys = actions.map { $0.identifier.onOneLine() }.joined(separator: ", ")
    return [
      LocalTime.text(record.date.timeIntervalSince1970), record.request.identifier.onOneLine(),
      Listing.text(record.request.content) + (keys.isEmpty ? "" : "  [" + keys + "]"),
    ]
  }
}

internal import DBus
internal import FreedesktopNotifications

/// Who has the name that we want, as far as the bus and that daemon say.
struct NameOwner: Sendable, Hashable {
  var uniqueName: String?
  /// What the daemon calls itself.
  var name: String?
  var process: UInt32?

  init(uniqueName: String? = nil, name: String? = nil, process: UInt32? = nil) {
    self.uniqueName = uniqueName
    self.name = name
    self.process = process
  }

  /// Asks; whatever is not answered within two seconds stays unknown.
  init(on connection: BusConnection) async {
    self.init()
    uniqueName = try? await connection.owner(of: NotificationService.name)?.text
    let information = try? await connection.call(
      MethodCall(
        to: NotificationService.name, at: NotificationService.path, NotificationService.interface,
        "GetServerInformation", startsService: false), timeout: .seconds(2))
    name = information?.body.first?.asString.map { [Glyph]($0, limit: 60).text }
    let credentials = try? await connection.call(
      MethodCall(
        to: .bus, at: .bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        [.string(NotificationService.name.text)]), timeout: .seconds(2))
    process = credentials?.body.first?.asUInt32
  }

  /// Says who it is and what to do.
  func complaint(triedToReplace: Bool) -> String {
    var who = name ?? ""
    if who.isEmpty { who = "another daemon" }
    let details = [process.map { "process \($0)" }, uniqueName].compactMap(\.self)
    if !details.isEmpty { who += " (\(details.joined(separator: ", ")))" }
    let remedy: String
    if !triedToReplace {
      remedy = "--replace takes over from it"
    } else if let process {
      remedy = "it does not allow that: end it first (kill \(process))"
    } else {
      remedy = "it does not allow that: end it first"
    }
    return "\(NotificationService.name) belongs to \(who); \(remedy)"
  }
}

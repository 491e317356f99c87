public import DBus
public import FoundationEssentials
public import NotificationBridge

/// The bridge as a client sees it: one method a call of the interface. Calls leave in the order in which they were made.
///
/// Source: `dbus/org.notifybridge.Bridge1.xml`.
public struct ControlClient: Sendable {
  public let connection: BusConnection

  public init(on connection: BusConnection) { self.connection = connection }

  /// What comes along with a request.
  public struct PostOptions: Sendable {
    /// The caller waits for how it ends: ``ControlClient/wait(_:)`` follows.
    public var waits = false
    /// Apple's rule for pending requests instead of the bridge's; nil: the bridge's.
    public var keepSoonest: Int?

    public init() {}
  }

  /// Whether the bridge runs, or could be started by the bus: then it is.
  /// - Returns: false where none is installed.
  /// - Throws: ``BridgeError`` with code `noBus` when it is installed and does not start.
  public nonisolated(nonsending) func start() async throws(BridgeError) -> Bool {
    // A call starts what the bus can start. (To start it by its name fails where it runs but the bus cannot start it.)
    let ping = MethodCall(
      to: ControlInterface.busName, at: ControlInterface.path, "org.freedesktop.DBus.Peer", "Ping")
    do throws(BusError) {
      _ = try await connection.callAgain(ping, timeout: .seconds(15), attempts: 3)
      return true
    } catch  where error.name == .serviceUnknown {
      return false
    } catch {
      throw BridgeError(.noBus, "the resident bridge is installed but does not start", cause: error)
    }
  }

  /// Whether the bridge runs now; nothing is started.
  public nonisolated(nonsending) func isRunning() async -> Bool {
    ((try? await connection.owner(of: ControlInterface.busName)) ?? nil) != nil
  }

  // MARK: Requests

  /// Hands over a request.
  /// - Parameter files: an open file for each attachment, in their order.
  public nonisolated(nonsending) func post(
    _ request: RequestRecord, from application: ApplicationRecord, files: [OwnedDescriptor] = [],
    options: PostOptions = PostOptions()
  ) async throws(BridgeError) -> DeliveryReport {
    // Not a second time, as with all that shows or does something: the first may have been done.
    let message = try await call(
      "Post", Self.postBody(request, application, files, options), timeout: .seconds(60), attempts: 1)
    return try DeliveryReport(document: try document(message, 0), named: "report")
  }

  /// The arguments of `Post`.
  static func postBody(
    _ request: RequestRecord, _ application: ApplicationRecord, _ files: [OwnedDescriptor], _ options: PostOptions
  ) -> [Value] {
    var document = request.document
    if case .dictionary(var content)? = document["content"], case .array(let list)? = content["attachments"] {
      content["attachments"] = .array(
        list.enumerated().map { index, element in
          guard case .dictionary(var attachment) = element else { return element }
          attachment["file"] = .integer(Int64(index))
          return .dictionary(attachment)
        })
      document["content"] = .dictionary(content)
    }
    var entries: [String: PropertyValue] = ["name": .string(application.name)]
    if application.isKnown { entries["known"] = .boolean(true) }
    if !application.icon.isEmpty { entries["icon"] = .string(application.icon) }
    if options.waits { entries["wait"] = .boolean(true) }
    if let limit = options.keepSoonest { entries["keepSoonest"] = .integer(Int64(limit)) }
    return [
      .string(application.identifier), RecordCoding.value(document),
      .array(of: "h", files.map { .unixFD($0) }), RecordCoding.value(entries),
    ]
  }

  /// What became of a remote notification.
  public struct PushReport: Sendable {
    /// Of what is shown; of a background update the identifier alone.
    public var delivery: DeliveryReport
    /// What was wrong in the payload, the key named.
    public var notes: [String]
    /// How many of the application's processes took a background update; nil: it is none.
    public var processes: Int?
  }

  /// Hands over the payload of a remote notification.
  /// - Parameter collapseIdentifier: its name, of 1 to 64 bytes; nil: one of its own.
  public nonisolated(nonsending) func push(
    _ payload: [UInt8], to application: ApplicationRecord, collapseIdentifier: String?
  ) async throws(BridgeError) -> PushReport {
    var options: [String: PropertyValue] = ["name": .string(application.name)]
    if application.isKnown { options["known"] = .boolean(true) }
    if !application.icon.isEmpty { options["icon"] = .string(application.icon) }
    if let collapseIdentifier { options["collapseIdentifier"] = .string(collapseIdentifier) }
    let message = try await call(
      "Push", [.string(application.identifier), .bytes(payload), RecordCoding.value(options)], timeout: .seconds(90),
      attempts: 1)
    let reader = DocumentReader(try document(message, 0), path: "report")
    return PushReport(
      delivery: try DeliveryReport(reader), notes: try reader.texts("notes") ?? [],
      processes: try reader.flag("background") == true ? try reader.integer("processes") ?? 0 : nil)
  }

  /// Waits for how a notification ends, however long that takes. A response is to be acknowledged.
  public nonisolated(nonsending) func wait(_ key: NotificationKey) async throws(BridgeError) -> Outcome {
    let message = try await call("Wait", [.string(key.application), .string(key.identifier)], timeout: nil)
    guard message.body.count == 2, let word = message.body[0].asString,
      let outcome = Outcome(word: word, response: RecordCoding.document(message.body[1]) ?? [:])
    else { throw malformed("Wait") }
    return outcome
  }

  /// Says that a response has arrived: nobody else gets it.
  public nonisolated(nonsending) func acknowledge(_ response: UUID, of application: String) async throws(BridgeError) {
    _ = try await call("Acknowledge", [.string(application), .string(response.uuidString)])
  }

  /// As ``acknowledge(_:of:)``, without an answer.
  public func sendAcknowledgement(of response: UUID, application: String) {
    connection.send(
      Self.methodCall("Acknowledge", [.string(application), .string(response.uuidString)], startsService: true))
  }

  /// Acts on a delivered notification.
  /// - Parameter action: nil: the click on the notification.
  public nonisolated(nonsending) func act(
    on key: NotificationKey, action: String?, text: String?
  ) async throws(BridgeError) {
    var options: [String: PropertyValue] = [:]
    if let action { options["action"] = .string(action) }
    if let text { options["text"] = .string(text) }
    _ = try await call(
      "Act", [.string(key.application), .string(key.identifier), RecordCoding.value(options)], attempts: 1)
  }

  public nonisolated(nonsending) func show(_ key: NotificationKey) async throws(BridgeError) {
    _ = try await call("Show", [.string(key.application), .string(key.identifier)], attempts: 1)
  }

  /// What is taken away.
  public enum Removal: Sendable, Hashable {
    case identifiers([String])
    case thread(String)
    case all
  }

  public nonisolated(nonsending) func remove(
    _ what: Removal, of application: String, pending: Bool = true, delivered: Bool = true
  ) async throws(BridgeError) {
    _ = try await call("Remove", Self.removeBody(what, application, pending, delivered))
  }

  static func removeBody(_ what: Removal, _ application: String, _ pending: Bool, _ delivered: Bool) -> [Value] {
    var options: [String: PropertyValue] = ["pending": .boolean(pending), "delivered": .boolean(delivered)]
    var identifiers: [String] = []
    switch what {
    case .identifiers(let list): identifiers = list
    case .thread(let name): options["thread"] = .string(name)
    case .all: options["all"] = .boolean(true)
    }
    return [.string(application), .strings(identifiers), RecordCoding.value(options)]
  }

  // MARK: Lists

  /// A request that waits for its trigger.
  public struct Pending: Sendable {
    public var application: String
    public var request: RequestRecord
    /// Seconds since 1970.
    public var due: Double

    public init(application: String, request: RequestRecord, due: Double) {
      self.application = application
      self.request = request
      self.due = due
    }
  }

  /// - Parameter application: empty: all.
  public nonisolated(nonsending) func pending(_ application: String) async throws(BridgeError) -> [Pending] {
    try pending(try await call("List", [.string(application), .string("pending")]))
  }

  func pending(_ message: Message) throws(BridgeError) -> [Pending] {
    var result: [Pending] = []
    for document in try documents(message, 0) {
      let reader = DocumentReader(document, path: "entry")
      result.append(
        Pending(
          application: try reader.text("application") ?? "",
          request: try RequestRecord(try reader.needed("request", try reader.document("request"), "a request")),
          due: try reader.number("due") ?? 0))
    }
    return result
  }

  /// - Parameter application: empty: all.
  public nonisolated(nonsending) func delivered(
    _ application: String
  ) async throws(BridgeError) -> [NotificationRecord] {
    try records(try await call("List", [.string(application), .string("delivered")]))
  }

  func records(_ message: Message) throws(BridgeError) -> [NotificationRecord] {
    var result: [NotificationRecord] = []
    for document in try documents(message, 0) {
      result.append(try NotificationRecord(document: document, named: "notification"))
    }
    return result
  }

  /// What happened after the event of that number; with 0 the newest, oldest first.
  public nonisolated(nonsending) func history(
    after sequence: Int64, application: String, limit: Int
  ) async throws(BridgeError) -> [HistoryRecord] {
    try events(
      try await call(
        "History", [.int64(sequence), .string(application), .uint32(UInt32(clamping: limit))]))
  }

  /// As ``history(after:application:limit:)``, and waits until there is something. Below 0: from now on.
  public nonisolated(nonsending) func nextEvents(
    after sequence: Int64, application: String
  ) async throws(BridgeError) -> [HistoryRecord] {
    try events(try await call("Events", [.int64(sequence), .string(application), .uint32(0)], timeout: nil))
  }

  private func events(_ message: Message) throws(BridgeError) -> [HistoryRecord] {
    var result: [HistoryRecord] = []
    // An event that only a newer bridge knows is left out.
    for document in try documents(message, 0) {
      if let record = try? HistoryRecord(document: document, named: "event") { result.append(record) }
    }
    return result
  }

  /// When a trigger that is added at `after` would fire first; both in seconds since 1970.
  public nonisolated(nonsending) func nextDate(
    of trigger: TriggerRecord, after: Double
  ) async throws(BridgeError) -> Double {
    guard
      case .double(let due)? = try await call("NextDate", [RecordCoding.value(trigger.document), .double(after)])
        .body.first
    else { throw malformed("NextDate") }
    return due
  }

  // MARK: Applications

  public nonisolated(nonsending) func categories(of application: String) async throws(BridgeError) -> [CategoryRecord] {
    var result: [CategoryRecord] = []
    for document in try documents(try await call("Categories", [.string(application)]), 0) {
      result.append(try CategoryRecord(document: document, named: "category"))
    }
    return result
  }

  public nonisolated(nonsending) func setCategories(
    _ records: [CategoryRecord], of application: String
  ) async throws(BridgeError) {
    _ = try await call("SetCategories", [.string(application), RecordCoding.values(records.map(\.document))])
  }

  public nonisolated(nonsending) func setBadge(_ count: Int, of application: String) async throws(BridgeError) {
    _ = try await call("SetBadge", [.string(application), .uint32(UInt32(clamping: count))])
  }

  /// Nil: never set.
  public nonisolated(nonsending) func badge(of application: String) async throws(BridgeError) -> Int? {
    guard let number = try await call("Badge", [.string(application)]).body.first?.asInt32 else {
      throw malformed("Badge")
    }
    return number < 0 ? nil : Int(number)
  }

  public nonisolated(nonsending) func settings(of application: String) async throws(BridgeError) -> SettingsRecord {
    try SettingsRecord(document: try document(try await call("Settings", [.string(application)]), 0), named: "settings")
  }

  /// Has the application's connected processes show their settings for notifications.
  /// - Returns: how many did.
  public nonisolated(nonsending) func openSettings(of application: String) async throws(BridgeError) -> Int {
    guard let count = try await call("OpenSettings", [.string(application)], attempts: 1).body.first?.asUInt32 else {
      throw malformed("OpenSettings")
    }
    return Int(count)
  }

  /// How the bridge is, as its documentation says.
  public nonisolated(nonsending) func status() async throws(BridgeError) -> [String: PropertyValue] {
    try document(try await call("Status", []), 0)
  }

  // MARK: Calling

  static func methodCall(_ member: MemberName, _ body: [Value], startsService: Bool) -> MethodCall {
    MethodCall(
      to: ControlInterface.busName, at: ControlInterface.path, ControlInterface.interface, member, body,
      startsService: startsService)
  }

  /// - Parameters:
  ///   - timeout: nil: none, and then the call is made once.
  ///   - attempts: how often it is made while bridges end under it.
  nonisolated(nonsending) func call(
    _ member: MemberName, _ body: [Value], timeout: Duration? = .seconds(25), attempts: Int = 2
  ) async throws(BridgeError) -> Message {
    do throws(BusError) {
      return try await connection.callAgain(
        Self.methodCall(member, body, startsService: true), timeout: timeout ?? .seconds(60 * 60 * 24 * 365 * 50),
        attempts: timeout == nil ? 1 : attempts)
    } catch {
      throw BridgeError(bridge: error)
    }
  }

  func document(_ message: Message, _ index: Int) throws(BridgeError) -> [String: PropertyValue] {
    guard message.body.indices.contains(index), let document = RecordCoding.document(message.body[index]) else {
      throw malformed("a call")
    }
    return document
  }

  func documents(_ message: Message, _ index: Int) throws(BridgeError) -> [[String: PropertyValue]] {
    guard message.body.indices.contains(index), let documents = RecordCoding.documents(message.body[index]) else {
      throw malformed("a call")
    }
    return documents
  }

  private func malformed(_ member: String) -> BridgeError {
    BridgeError(.noBus, "the resident bridge answered \(member) with something else than its interface says")
  }
}

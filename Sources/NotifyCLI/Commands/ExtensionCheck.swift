internal import DesktopServices
internal import ExtensionHost
internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// `extension check`: reads a bundle and runs its program as the bridge does, in a data folder of its own.
enum ExtensionCheck {
  static func run(
    _ folder: String, _ arguments: ParsedArguments, _ invocation: Invocation
  ) throws(UsageError) -> ExitStatus {
    let application = try arguments["app"].map(ExtensionCommand.application) ?? "org.example.App"
    var content = try arguments["payload"].map(payload)
    guard let bundle = read(folder) else { return .failure }
    describe(bundle)
    if content == nil { content = sample }
    guard var content else { return .failure }
    if case .content(let drawing) = bundle.kind, !drawing.categories.contains(content.categoryIdentifier) {
      content.categoryIdentifier = drawing.categories[0]
    }
    let request = RequestRecord(identifier: "check", content: content, trigger: .push)
    return run(bundle, request, ApplicationRecord(identifier: application, name: application))
  }

  /// Reads a bundle and says what is wrong with it; nil where that forbids its use.
  static func read(_ folder: String) -> ExtensionBundle? {
    guard unsafe access(folder, F_OK) == 0 else {
      Output.message("there is no folder \(folder.quotedForPeople)")
      return nil
    }
    let reader = BundleReader(folder)
    for problem in reader.problems { Output.message(problem.description) }
    return reader.bundle
  }

  private static func describe(_ bundle: ExtensionBundle) {
    var text = "\(bundle.kind.word) extension \(bundle.displayName.quotedForPeople)"
    if case .content(let content) = bundle.kind {
      text += ", draws " + content.categories.map(\.quotedForPeople).joined(separator: ", ")
      text += "; height by width \(content.sizeRatio)"
      if content.hidesDefaultContent { text += "; the content itself is hidden" }
      if content.overridesTitle { text += "; its title stands in for the notification's" }
    }
    Output.result(text)
  }

  private static var sample: ContentRecord {
    var content = ContentRecord()
    content.title = "Sample"
    content.body = "A notification that was made up by notify-bridge extension check"
    content.userInfo = [
      "aps": .dictionary([
        "mutable-content": .integer(1),
        "alert": .dictionary(["title": .string(content.title), "body": .string(content.body)]),
      ])
    ]
    return content
  }

  private static func payload(_ file: String) throws(UsageError) -> ContentRecord {
    let bytes = try FileInput.read(file, option: "--payload")
    let name = file == "-" ? "the payload" : file.quotedForPeople
    let payload: PushPayload
    do throws(BridgeError) {
      payload = try PushPayload(bytes)
    } catch {
      throw UsageError("\(name): \(error.message)")
    }
    for note in payload.notes { Output.message("\(name): \(note)") }
    guard let content = payload.content else {
      throw UsageError("\(name) is a background update, which no extension sees")
    }
    return content
  }

  // MARK: Running it

  private static func run(
    _ bundle: ExtensionBundle, _ request: RequestRecord, _ application: ApplicationRecord
  ) -> ExitStatus {
    guard let home = temporaryFolder() else {
      Output.message("no temporary folder can be made: \(unsafe String(cString: strerror(errno)))")
      return .failure
    }
    defer { try? FolderTree.remove(home) }
    let folders = ExtensionFolders(dataHome: home, dataDirectories: [])
    do throws(BundleInstaller.Fault) {
      _ = try BundleInstaller(folders).install(bundle, for: application.identifier, replaces: false)
    } catch {
      Output.message(error.message)
      return .failure
    }
    let host = ExtensionHost(
      folders: folders, environment: OnTest.environment(), log: StandardErrorLog(level: .info))
    return Host.wait(on: QueueExecutor()) {
      switch bundle.kind {
      case .service: await modify(host, request, application)
      case .content(let content): await draw(host, content, request, application)
      }
    }
  }

  private static func temporaryFolder() -> String? {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array((folder + "/notify-bridge-check.XXXXXX").utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    return isMade ? String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private static func modify(
    _ host: ExtensionHost, _ request: RequestRecord, _ application: ApplicationRecord
  ) async -> ExitStatus {
    let answer = await withCheckedContinuation { continuation in
      host.modify(request, of: application) { continuation.resume(returning: $0) }
    }
    // Why there is none was logged.
    guard let answer else { return .failure }
    Output.result(changes(from: request.content, to: answer))
    return .success
  }

  private static func draw(
    _ host: ExtensionHost, _ content: ContentExtension, _ request: RequestRecord, _ application: ApplicationRecord
  ) async -> ExitStatus {
    let shown = ShownContent(content, request)
    let session = host.open(content, of: application) { shown.take($0) }
    let notification = NotificationRecord(application: application, request: request, date: Date())
    let hasAnswered = await withCheckedContinuation { continuation in
      session.receive(notification, actions: [], within: .seconds(10)) { continuation.resume(returning: $0) }
    }
    guard hasAnswered else {
      Output.message("it gave no update within 10 s of a notification; the bridge waits 2 s")
      return .failure
    }
    let response = ResponseRecord(notification: notification, action: .default)
    let decision = await withCheckedContinuation { continuation in
      session.respond(response, within: .seconds(10)) { continuation.resume(returning: $0) }
    }
    guard let decision else {
      Output.message("it did not say within 10 s what becomes of a notification that was clicked on")
      return .failure
    }
    Output.result("a click on it: \(decision.rawValue)")
    withExtendedLifetime(session) {}
    return .success
  }

  /// What a content extension makes of what is shown; said as it comes.
  private final class ShownContent: Sendable {
    private let bundle: ContentExtension
    private let request: RequestRecord
    private let content: Mutex<ContentRecord>

    init(_ bundle: ContentExtension, _ request: RequestRecord) {
      (self.bundle, self.request) = (bundle, request)
      content = Mutex(request.content)
    }

    func take(_ event: ContentExtensionEvent) {
      switch event {
      case .updated(let update):
        if let said = update.content {
          let shown = DrawnRequest(bundle, update).apply(to: request, category: nil).content
          Output.result(ExtensionCheck.changes(from: content.withLock { $0 }, to: shown, shownOnly: true))
          content.withLock { $0 = shown }
          if !said.title.isEmpty, shown.title != said.title {
            Output.result(
              "its title \(said.title.quotedForPeople) is not shown: that needs "
                + "UNNotificationExtensionOverridesDefaultTitle in Info.plist")
          }
        }
        let actions = update.actions?.map { "\($0.identifier.quotedForPeople) = \($0.title.quotedForPeople)" }
        if let actions { Output.result("actions: " + (actions.isEmpty ? "none" : actions.joined(separator: ", "))) }
        let controls = update.controls?.map { "\($0.identifier.quotedForPeople) = \($0.title.quotedForPeople)" }
        if let controls { Output.result("controls: " + (controls.isEmpty ? "none" : controls.joined(separator: ", "))) }
        if let media = update.media { Output.result("media button: \(media.kind.rawValue)") }
        if update == ContentUpdate() { Output.result("nothing is changed") }
      case .performDefaultAction: Output.result("it acts as if it had been clicked on")
      case .dismiss: Output.result("it lets the notification go")
      case .ended: break
      }
    }
  }

  /// What is shown before and after, a line for each part that there is.
  /// - Parameter shownOnly: only what a content extension may change.
  static func changes(from before: ContentRecord, to after: ContentRecord, shownOnly: Bool = false) -> String {
    func files(_ content: ContentRecord) -> String? {
      content.attachments.isEmpty ? nil : content.attachments.map(\.path.quotedForPeople).joined(separator: ", ")
    }
    func text(_ text: String) -> String? { text.isEmpty ? nil : text.quotedForPeople }
    var rows: [(String, String?, String?)] = [
      ("title", text(before.title), text(after.title)), ("subtitle", text(before.subtitle), text(after.subtitle)),
      ("body", text(before.body), text(after.body)), ("attachments", files(before), files(after)),
    ]
    if !shownOnly {
      rows += [
        ("category", text(before.categoryIdentifier), text(after.categoryIdentifier)),
        ("thread", text(before.threadIdentifier), text(after.threadIdentifier)),
        ("badge", before.badge.map(String.init), after.badge.map(String.init)),
        ("sound", before.sound.map(words), after.sound.map(words)),
        (
          "level", before.interruptionLevel.rawValue.quotedForPeople, after.interruptionLevel.rawValue.quotedForPeople
        ),
        (
          "userInfo", before.userInfo.isEmpty ? nil : "\(before.userInfo.count) keys",
          after.userInfo.isEmpty ? nil : "\(after.userInfo.count) keys"
        ),
      ]
    }
    let lines = rows.compactMap { name, before, after -> String? in
      if before == nil, after == nil { return nil }
      let change = before == after ? before ?? "" : "\(before ?? "none") -> \(after ?? "none")"
      return "  " + name.padded(to: 13) + change
    }
    return lines.isEmpty ? "  nothing is shown" : lines.joined(separator: "\n")
  }

  private static func words(_ sound: SoundRecord) -> String {
    switch sound.source {
    case .standard: "the standard one"
    case .named(let name), .file(let name), .theme(let name): name.quotedForPeople
    }
  }
}

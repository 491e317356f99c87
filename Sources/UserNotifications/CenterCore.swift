import Dispatch
import NotificationBridge
import Synchronization

/// What is behind the center: a serial mailbox in front of the backend, the registered categories, and the delegate.
///
/// May be used from any thread. Answers come on the engine or on a background queue; they must not block.
final class CenterCore: Sendable {
  private struct State: Sendable {
    var backend: (any CenterBackend)?
    var categories: Set<UNNotificationCategory> = []
    /// Operations that wait behind the moving of files.
    var behindFiles = 0
  }

  let caller: DelegateCaller
  private let attachments: AttachmentFolders
  private let makeBackend: @Sendable () -> any CenterBackend
  private let state = Mutex(State())
  /// Files are moved here, away from callers and from the engine.
  private let files = DispatchQueue(label: "org.notifybridge.attachments")

  /// - Parameter backend: called at the first use.
  init(
    limits: DelegateCaller.Limits = .init(), log: any BridgeLog = StandardErrorLog(),
    attachments: AttachmentFolders = AttachmentFolders(), backend: @escaping @Sendable () -> any CenterBackend
  ) {
    caller = DelegateCaller(limits: limits, log: log)
    self.attachments = attachments
    makeBackend = backend
  }

  func attach(to center: UNUserNotificationCenter) {
    caller.attach(to: center) { [weak self] response, sent in
      self?.enqueue { $0.acknowledge(response, sent: sent) }
      if !response.notification.request.content.attachments.isEmpty { self?.collectFiles() }
    }
  }

  // MARK: The mailbox

  /// Hands an operation to the backend, behind all that came before.
  private func enqueue(_ operation: @escaping @Sendable (any CenterBackend) -> Void) {
    state.withLock { state in
      let backend = backend(&state)
      if state.behindFiles == 0 { operation(backend) } else { behindFiles(&state) { operation(backend) } }
    }
  }

  private func behindFiles(_ state: inout State, _ work: @escaping @Sendable () -> Void) {
    state.behindFiles += 1
    files.async { [self] in
      work()
      self.state.withLock { $0.behindFiles -= 1 }
    }
  }

  private func backend(_ state: inout State) -> any CenterBackend {
    if let backend = state.backend { return backend }
    let backend = makeBackend()
    state.backend = backend
    backend.setCaller(caller, asks: caller.delegate != nil)
    return backend
  }

  // MARK: The delegate

  var delegate: (any UNUserNotificationCenterDelegate)? {
    get { caller.delegate }
    set {
      caller.delegate = newValue
      let asks = newValue != nil
      state.withLock { state in
        state.backend?.setCaller(caller, asks: asks)
      }
    }
  }

  /// Connects with the bridge, where there is one, so that it finds this process.
  func connect() {
    state.withLock { _ = backend(&$0) }
  }

  // MARK: Permission

  func authorize(
    _ options: UNAuthorizationOptions, _ answer: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    enqueue { backend in
      backend.authorize(.init(rawValue: options.rawValue)) { result in
        switch result {
        case .success(let record):
          switch record.status {
          case .authorized, .provisional: answer(.success(true))
          case .notDetermined: answer(.success(false))
          case .denied:
            let text = "this application is not allowed to show notifications"
            answer(.failure(UNError(.notificationsNotAllowed, text)))
          }
        case .failure(let error): answer(.failure(error.forPrograms))
        }
      }
    }
  }

  func settings(_ answer: @escaping @Sendable (UNNotificationSettings) -> Void) {
    enqueue { $0.settings { answer(UNNotificationSettings($0)) } }
  }

  func setBadge(_ count: Int, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
    guard count >= 0 else {
      return answer(UNError(.badgeInputInvalid, "a badge is 0 or more, and not \(count)"))
    }
    enqueue { $0.setBadge(count) { answer($0?.forPrograms) } }
  }

  // MARK: Categories

  /// Of two categories with one identifier, which Apple leaves open, the one that is new counts.
  func setCategories(_ categories: Set<UNNotificationCategory>) {
    _ = state.withLock { state in
      let former = state.categories
      state.categories = categories
      let ordered = categories.sorted { former.contains($0) && !former.contains($1) }
      let records = ordered.map(CategoryRecord.init)
      let backend = backend(&state)
      if state.behindFiles == 0 {
        backend.setCategories(records)
      } else {
        behindFiles(&state) { backend.setCategories(records) }
      }
      // Let go outside the lock: a class of the program's own may come back here when it ends.
      return former
    }
  }

  var categories: Set<UNNotificationCategory> { state.withLock { $0.categories } }

  // MARK: Requests

  /// - Parameter answer: on the caller's thread for what is wrong with the request itself, else later.
  func add(_ request: UNNotificationRequest, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
    let record: RequestRecord
    do throws(BridgeError) {
      record = try RequestRecord(request)
      if let trigger = request.trigger, record.trigger == nil {
        throw BridgeError(.noDate, Self.reason(trigger))
      }
    } catch {
      return answer(error.forPrograms)
    }
    guard record.content.attachments.isEmpty else { return addWithFiles(record, answer) }
    enqueue { $0.add(record, taken: {}, { answer($0?.forPrograms) }, ended: {}) }
    collectFiles()
  }

  /// Why nothing fires the trigger.
  private static func reason(_ trigger: UNNotificationTrigger) -> String {
    guard let trigger = trigger as? UNLocationNotificationTrigger else {
      return "nothing fires a trigger of the class \(type(of: trigger))"
    }
    return "a desktop does not tell where it is, so nothing fires the trigger for the region "
      + "\(trigger.region.identifier.quotedForPeople); give the request a time"
  }

  private func addWithFiles(_ record: RequestRecord, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
    state.withLock { state in
      let backend = backend(&state)
      behindFiles(&state) { [self] in
        let staged: AttachmentFolders.Staged
        do throws(UNError) {
          staged = try attachments.stage(record.content.attachments)
        } catch {
          return answer(error)
        }
        var record = record
        record.content.attachments = staged.records
        backend.add(record) { [attachments] in
          attachments.submitted(staged)
        } _: { [self] error in
          // After a timeout it may still appear, and needs its files.
          if let error, error.code != .timedOut { files.async { self.attachments.restore(staged) } }
          answer(error?.forPrograms)
        } ended: { [self] in
          collectFiles()
        }
      }
    }
    collectFiles()
  }

  /// Lets go of files that nothing needs any more.
  private func collectFiles() {
    guard !attachments.isEmpty else { return }
    enqueue { [self] backend in
      backend.attachmentPaths { [self] paths in
        let unused = attachments.unused(paths.union(caller.attachmentPaths))
        if !unused.isEmpty { files.async { [attachments] in attachments.remove(unused) } }
      }
    }
  }

  // MARK: Lists

  func pending(_ answer: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    enqueue { $0.pending { answer($0.map { UNNotificationRequest($0.0, due: $0.1) }) } }
  }

  func delivered(_ answer: @escaping @Sendable ([UNNotification]) -> Void) {
    enqueue { $0.delivered { answer($0.map { UNNotification($0) }) } }
  }

  /// Nil: all.
  func removePending(_ identifiers: [String]?) {
    enqueue { $0.removePending(identifiers) }
    collectFiles()
  }

  /// Nil: all.
  func removeDelivered(_ identifiers: [String]?) {
    enqueue { $0.removeDelivered(identifiers) }
    collectFiles()
  }

  /// For the process's end.
  func removeFiles() { attachments.removeEverything() }
}

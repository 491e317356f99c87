import Dispatch
import NotificationBridge
import Synchronization

/// What is behind the center: a serial mailbox in front of the engine, the registered categories, and the delegate.
///
/// May be used from any thread. Answers come on the engine or on a background queue; they must not block.
final class CenterCore: Sendable {
  private struct State: Sendable {
    var host: EngineHost?
    var categories: Set<UNNotificationCategory> = []
    /// Operations that wait behind the moving of files.
    var behindFiles = 0
  }

  let caller: DelegateCaller
  private let attachments: AttachmentFolders
  private let makeHost: @Sendable () -> EngineHost
  private let state = Mutex(State())
  /// Files are moved here, away from callers and from the engine.
  private let files = DispatchQueue(label: "org.notifybridge.attachments")

  /// - Parameter host: called at the first use.
  init(
    limits: DelegateCaller.Limits = .init(), log: any BridgeLog = StandardErrorLog(),
    attachments: AttachmentFolders = AttachmentFolders(), host: @escaping @Sendable () -> EngineHost
  ) {
    caller = DelegateCaller(limits: limits, log: log)
    self.attachments = attachments
    makeHost = host
  }

  func attach(to center: UNUserNotificationCenter) {
    caller.attach(to: center) { [weak self] in self?.collectFiles() }
  }

  // MARK: The mailbox

  /// Hands an operation to the engine, behind all that came before.
  private func enqueue(_ operation: @escaping @Sendable (isolated BridgeEngine, String) -> Void) {
    state.withLock { state in
      let host = host(&state)
      let handOver = { @Sendable in host.engine.enqueue { operation($0, host.application.identifier) } }
      if state.behindFiles == 0 { handOver() } else { behindFiles(&state, handOver) }
    }
  }

  private func behindFiles(_ state: inout State, _ work: @escaping @Sendable () -> Void) {
    state.behindFiles += 1
    files.async { [self] in
      work()
      self.state.withLock { $0.behindFiles -= 1 }
    }
  }

  private func host(_ state: inout State) -> EngineHost {
    if let host = state.host { return host }
    let host = makeHost()
    state.host = host
    setHandler(on: host, asks: caller.delegate != nil)
    return host
  }

  private var application: ApplicationRecord { state.withLock { host(&$0).application } }

  private func setHandler(on host: EngineHost, asks: Bool) {
    let caller = caller
    let willPresent: ApplicationHandler.Presenter? = asks ? { @Sendable in caller.present($0, $1) } : nil
    host.engine.enqueue { engine in
      engine.setHandler(
        ApplicationHandler(willPresent: willPresent) { caller.receive($0) }, for: host.application.identifier)
    }
  }

  // MARK: The delegate

  var delegate: (any UNUserNotificationCenterDelegate)? {
    get { caller.delegate }
    set {
      caller.delegate = newValue
      let asks = newValue != nil
      state.withLock { state in
        if let host = state.host { setHandler(on: host, asks: asks) }
      }
    }
  }

  // MARK: Permission

  func authorize(
    _ options: UNAuthorizationOptions, _ answer: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    let application = application
    enqueue { engine, name in
      engine.authorize(.init(rawValue: options.rawValue), application: application) { record in
        switch record.status {
        case .authorized, .provisional: answer(.success(true))
        case .notDetermined: answer(.success(false))
        case .denied:
          let text = "\(name.quotedForPeople) is not allowed to show notifications"
          answer(.failure(UNError(.notificationsNotAllowed, text)))
        }
      }
    }
  }

  func settings(_ answer: @escaping @Sendable (UNNotificationSettings) -> Void) {
    enqueue { engine, application in
      Task { answer(UNNotificationSettings(await engine.settings(of: application))) }
    }
  }

  func setBadge(_ count: Int, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
    guard count >= 0 else {
      return answer(UNError(.badgeInputInvalid, "a badge is 0 or more, and not \(count)"))
    }
    enqueue { engine, application in
      engine.setBadge(count, for: application)
      answer(nil)
    }
  }

  // MARK: Categories

  /// Of two categories with one identifier, which Apple leaves open, the one that is new counts.
  func setCategories(_ categories: Set<UNNotificationCategory>) {
    _ = state.withLock { state in
      let former = state.categories
      state.categories = categories
      let ordered = categories.sorted { former.contains($0) && !former.contains($1) }
      let records = ordered.map(CategoryRecord.init)
      let host = host(&state)
      let handOver = { @Sendable in
        host.engine.enqueue { $0.setCategories(records, for: host.application.identifier) }
      }
      if state.behindFiles == 0 { handOver() } else { behindFiles(&state, handOver) }
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
        throw BridgeError(.noDate, "nothing fires a trigger of the class \(type(of: trigger))")
      }
    } catch {
      return answer(error.forPrograms)
    }
    guard record.content.attachments.isEmpty else { return addWithFiles(record, answer) }
    state.withLock { state in
      let host = host(&state)
      let submission = Submission(record, from: host.application) { result in
        answer(result.error?.forPrograms)
      }
      let handOver = { @Sendable in host.engine.enqueue { $0.submit(submission) } }
      if state.behindFiles == 0 { handOver() } else { behindFiles(&state, handOver) }
    }
    collectFiles()
  }

  private func addWithFiles(_ record: RequestRecord, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
    state.withLock { state in
      let host = host(&state)
      behindFiles(&state) { [self] in
        let staged: AttachmentFolders.Staged
        do throws(UNError) {
          staged = try attachments.stage(record.content.attachments)
        } catch {
          return answer(error)
        }
        var record = record
        record.content.attachments = staged.records
        let submission = Submission(record, from: host.application) { [self] result in
          // After a timeout it may still appear, and needs its files.
          if let error = result.error, error.code != .timedOut {
            files.async { self.attachments.restore(staged) }
          }
          answer(result.error?.forPrograms)
        } onOutcome: { [self] _ in
          collectFiles()
        }
        host.engine.enqueue { [attachments] engine in
          attachments.submitted(staged)
          engine.submit(submission)
        }
      }
    }
    collectFiles()
  }

  /// Lets go of files that nothing needs any more.
  private func collectFiles() {
    guard !attachments.isEmpty else { return }
    enqueue { [self] engine, application in
      let unused = attachments.unused(
        engine.attachmentPaths(of: application).union(caller.attachmentPaths))
      if !unused.isEmpty { files.async { [attachments] in attachments.remove(unused) } }
    }
  }

  // MARK: Lists

  func pending(_ answer: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    enqueue { engine, application in
      answer(engine.pendingRequests(of: application).map { UNNotificationRequest($0.request, due: $0.due) })
    }
  }

  func delivered(_ answer: @escaping @Sendable ([UNNotification]) -> Void) {
    enqueue { engine, application in
      answer(engine.deliveredNotifications(of: application).map { UNNotification($0) })
    }
  }

  /// Nil: all.
  func removePending(_ identifiers: [String]?) {
    enqueue { engine, application in engine.removePending(identifiers, of: application) }
    collectFiles()
  }

  /// Nil: all.
  func removeDelivered(_ identifiers: [String]?) {
    enqueue { engine, application in engine.removeDelivered(identifiers, of: application) }
    collectFiles()
  }

  /// For the process's end.
  func removeFiles() { attachments.removeEverything() }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

import NotificationBridge

/// The engine of this process: what it keeps ends with the process.
struct EngineBackend: CenterBackend {
  let host: EngineHost

  private func enqueue(_ operation: @escaping @Sendable (isolated BridgeEngine, String) -> Void) {
    host.engine.enqueue { [application = host.application.identifier] in operation($0, application) }
  }

  func setCaller(_ caller: DelegateCaller, asks: Bool) {
    let willPresent: ApplicationHandler.Presenter? = asks ? { @Sendable in caller.present($0, $1) } : nil
    enqueue { engine, application in
      engine.setHandler(ApplicationHandler(willPresent: willPresent) { caller.receive($0) }, for: application)
    }
  }

  func authorize(
    _ options: AuthorizationRecord.Options,
    _ answer: @escaping @Sendable (Result<AuthorizationRecord, BridgeError>) -> Void
  ) {
    enqueue { [application = host.application] engine, _ in
      engine.authorize(options, application: application) { answer(.success($0)) }
    }
  }

  func settings(_ answer: @escaping @Sendable (SettingsRecord) -> Void) {
    enqueue { engine, application in Task { answer(await engine.settings(of: application)) } }
  }

  func setBadge(_ count: Int, _ answer: @escaping @Sendable (BridgeError?) -> Void) {
    enqueue { engine, application in
      guard engine.authorization(of: application).status != .denied else {
        return answer(BridgeError(.notAllowed, "this application is not allowed to show a badge"))
      }
      engine.setBadge(count, for: application)
      answer(nil)
    }
  }

  func setCategories(_ records: [CategoryRecord]) { enqueue { $0.setCategories(records, for: $1) } }

  func add(
    _ record: RequestRecord, taken: @escaping @Sendable () -> Void,
    _ answer: @escaping @Sendable (BridgeError?) -> Void, ended: @escaping @Sendable () -> Void
  ) {
    let submission = Submission(record, from: host.application) { result in
      if case .failure(let error) = result { answer(error) } else { answer(nil) }
    } onOutcome: { _ in
      ended()
    }
    enqueue { engine, _ in
      taken()
      engine.submit(submission)
    }
  }

  func pending(_ answer: @escaping @Sendable ([(RequestRecord, Date)]) -> Void) {
    enqueue { answer($0.pendingRequests(of: $1).map { ($0.request, $0.due) }) }
  }

  func delivered(_ answer: @escaping @Sendable ([NotificationRecord]) -> Void) {
    enqueue { answer($0.deliveredNotifications(of: $1)) }
  }

  func removePending(_ identifiers: [String]?) { enqueue { $0.removePending(identifiers, of: $1) } }
  func removeDelivered(_ identifiers: [String]?) { enqueue { $0.removeDelivered(identifiers, of: $1) } }
  func acknowledge(_ response: ResponseRecord, sent: @escaping @Sendable () -> Void) { sent() }

  func attachmentPaths(_ answer: @escaping @Sendable (Set<String>) -> Void) {
    enqueue { answer($0.attachmentPaths(of: $1)) }
  }
}

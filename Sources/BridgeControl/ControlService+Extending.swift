internal import DBus
internal import Glibc
internal import NotificationBridge

/// What is pushed goes through the application's service extension first.
extension ControlService {
  /// What waits for the earlier push of the same name: that must not come later than this.
  struct PushLine: Sendable {
    var waiting: [(submission: Submission, isMutable: Bool)] = []
  }

  /// So many may wait; each may take half a minute, and its sender waits too.
  static let pushesInLine = 100

  /// Submits what was pushed, in order with others of its name.
  /// - Parameter isMutable: the payload lets the service extension change it.
  func submitPushed(_ submission: Submission, isMutable: Bool) {
    let key = submission.key
    if let line = pushLines[key] {
      guard line.waiting.count < Self.pushesInLine else {
        let name = key.identifier.quotedForPeople
        let text = "\(line.waiting.count) pushes of \(name) wait for the service extension already"
        return submission.onAccepted(.failure(BridgeError(.tooMany, text)))
      }
      pushLines[key]?.waiting.append((submission, isMutable))
      return
    }
    guard isMutable, let runner = surroundings.extensions, runner.hasService(of: key.application),
      engine.assumeIsolated({ $0.authorization(of: key.application).status }) != .denied
    else { return engine.assumeIsolated { $0.submit(submission) } }
    pushLines[key] = PushLine()
    runner.modify(submission.request, of: submission.application) { [weak self] content in
      self?.later { $0.extended(submission, content) }
    }
  }

  private func extended(_ submission: Submission, _ content: ContentRecord?) {
    guard let content, !(content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty) else {
      return finish(submission)
    }
    stage(content.attachments[...], []) { service, staged in
      var submission = submission
      submission.request.content = content
      submission.request.content.attachments = staged
      service.finish(submission)
    }
  }

  /// Takes over the files that the extension attached; one that cannot be is left out, and the log says why.
  private func stage(
    _ attachments: ArraySlice<AttachmentRecord>, _ staged: [AttachmentRecord],
    _ then: @escaping @Sendable (isolated ControlService, [AttachmentRecord]) -> Void
  ) {
    guard let next = attachments.first else { return then(self, staged) }
    // Never waits for a pipe; what is no regular file is refused when it is taken.
    let file = unsafe open(next.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    let descriptor = file < 0 ? nil : OwnedDescriptor(adopting: file)
    surroundings.stage([next], [descriptor]) { [weak self] result in
      self?.later { service in
        switch result {
        case .success(let taken): service.stage(attachments.dropFirst(), staged + taken, then)
        case .failure(let error):
          service.surroundings.log.write(.warning, "a service extension's attachment is left out: \(error)")
          service.stage(attachments.dropFirst(), staged, then)
        }
      }
    }
  }

  private func finish(_ submission: Submission) {
    engine.assumeIsolated { $0.submit(submission) }
    let waiting = pushLines.removeValue(forKey: submission.key)?.waiting ?? []
    // The first of them may have to go through the extension too, and then the others wait for it.
    for next in waiting { submitPushed(next.submission, isMutable: next.isMutable) }
  }
}

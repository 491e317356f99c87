internal import Synchronization

/// A call that a peer made to an exported object; answered once, from any thread. One that is released unanswered is
/// answered with the error `Failed`, so that no caller waits for ever.
public final class IncomingCall: Sendable {
  /// The call as it came.
  public let message: Message

  private let core: ConnectionCore
  private let epoch: Int
  private let isAnswered = Atomic(false)

  init(message: Message, core: ConnectionCore, epoch: Int) {
    self.message = message
    self.core = core
    self.epoch = epoch
  }

  deinit { fail(.failed, "the call was not answered") }

  /// Whether the connection by which it came has gone: then nobody waits for the answer, and its sender's name means
  /// nothing any more. To be asked on the connection's executor.
  public var isVoid: Bool {
    core.executor.assertCurrent()
    return core.stage != .connected || core.epoch != epoch
  }

  /// Answers. Answers and signals leave in the order in which they were given.
  ///
  /// A second answer is not sent. Values that cannot be sent are answered with the error `Failed` in their place.
  public func reply(_ body: [Value] = []) {
    guard takeTurn() else { return }
    do throws(BusError) {
      send(try handle(nil, body))
    } catch {
      sendError(.failed, "the answer cannot be sent: \(error.message)")
    }
  }

  /// The same call without its arguments, to be answered in this one's place: for one who keeps it for long, since
  /// arguments take many times the room that they took on the bus. What this one is answered from now on is not sent.
  public func withoutArguments() -> IncomingCall {
    var message = message
    message.body = []
    let call = IncomingCall(message: message, core: core, epoch: epoch)
    call.isAnswered.store(isAnswered.exchange(true, ordering: .relaxed), ordering: .relaxed)
    return call
  }

  /// Answers with an error.
  /// - Parameter text: one sentence for the caller's log.
  public func fail(_ name: ErrorName, _ text: String) {
    if takeTurn() { sendError(name, text) }
  }

  /// True for the first answer to a caller who wants one.
  private func takeTurn() -> Bool {
    !isAnswered.exchange(true, ordering: .relaxed) && !message.wantsNoReply
  }

  private func sendError(_ name: ErrorName, _ text: String) {
    let text = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text
    if let handle = try? handle(name, [.string(text)]) { send(handle) }
  }

  private func handle(_ error: ErrorName?, _ body: [Value]) throws(BusError) -> MessageHandle {
    try MessageHandle(
      answering: message.serial, of: message.sender, errorName: error, body: body,
      maximumSize: core.options.maximumMessageSize)
  }

  private func send(_ handle: MessageHandle) {
    core.executor.perform { [core, epoch, message] in
      // A peer's call is void once the connection it came by has gone.
      guard core.epoch == epoch, !core.send(handle) else { return }
      let fallback = try? MessageHandle(
        answering: message.serial, of: message.sender, errorName: .failed,
        body: [.string("the answer cannot be sent over this connection")],
        maximumSize: core.options.maximumMessageSize)
      if let fallback { core.send(fallback) }
    }
  }
}

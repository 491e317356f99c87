internal import NotificationBridge
internal import Synchronization

/// What is logged of one extension: what went wrong, and what its program writes to standard error, with a limit.
final class ExtensionJournal: Sendable {
  private struct State {
    var allowance = Allowance(most: 50, perSecond: 1)
    var leftOut = 0
  }

  private let name: String
  private let log: any BridgeLog
  private let state = Mutex(State())

  init(_ bundle: ExtensionBundle, _ application: String, _ log: any BridgeLog) {
    name = "extension \(bundle.name.quotedForPeople) of \(application.quotedForPeople)"
    self.log = log
  }

  func write(_ level: LogLevel, _ text: String) { log.write(level, "\(name): \(text)") }

  /// Lines of its standard error.
  func take(_ lines: [String]) { for line in lines { writeLimited("says \(line.quotedForPeople)") } }

  /// Writes what a program can bring about as often as it likes.
  func writeLimited(_ text: @autoclosure () -> String) {
    let leftOut: Int? = state.withLock { state in
      guard state.allowance.take() else {
        state.leftOut += 1
        return nil
      }
      defer { state.leftOut = 0 }
      return state.leftOut
    }
    guard let leftOut else { return }
    if leftOut > 0 { write(.warning, "\(leftOut) lines were left out") }
    write(.warning, text())
  }
}

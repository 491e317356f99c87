internal import NotificationBridge
internal import Synchronization

/// What is logged of one extension: what went wrong, and what its program writes to standard error, each with a limit.
final class ExtensionJournal: Sendable {
  /// So many at once, and one a second from then on.
  private struct Limit {
    var allowance = Allowance(most: 50, perSecond: 1)
    var leftOut = 0

    /// - Returns: how many were left out before this one; nil: it is left out.
    mutating func take() -> Int? {
      guard allowance.take() else {
        leftOut += 1
        return nil
      }
      defer { leftOut = 0 }
      return leftOut
    }
  }

  private struct State {
    /// Of what the bridge says: a program decides how often there is a reason.
    var remarks = Limit()
    var errors = Limit()
  }

  private let name: String
  private let log: any BridgeLog
  private let state = Mutex(State())

  init(_ bundle: ExtensionBundle, _ application: String, _ log: any BridgeLog) {
    name = "extension \(bundle.name.quotedForPeople) of \(application.quotedForPeople)"
    self.log = log
  }

  func write(_ level: LogLevel, _ text: String) {
    guard let leftOut = state.withLock({ $0.remarks.take() }) else { return }
    if leftOut > 0 { put(.warning, "\(leftOut) remarks about it were left out") }
    put(level, text)
  }

  /// Lines of its standard error.
  func take(_ lines: [String]) {
    for line in lines {
      guard let leftOut = state.withLock({ $0.errors.take() }) else { continue }
      if leftOut > 0 { put(.warning, "\(leftOut) lines of its error stream were left out") }
      put(.warning, "says \(line.quotedForPeople)")
    }
  }

  private func put(_ level: LogLevel, _ text: String) { log.write(level, "\(name): \(text)") }
}

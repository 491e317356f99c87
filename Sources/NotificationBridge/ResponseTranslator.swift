internal import FreedesktopNotifications

/// What a signal means for a notification. Pure.
enum ResponseTranslator {
  /// What a close means.
  enum Ending: Sendable, Hashable { case dismissed, expired, gone }

  /// - Parameters:
  ///   - age: how long it was shown.
  ///   - lifetime: what its sender set, in milliseconds; nil: nothing.
  static func ending(
    _ reason: CloseReason, age: Duration, lifetime: Int?, quirks: ServerQuirks
  ) -> Ending {
    switch reason {
    case .dismissed: return .dismissed
    case .expired:
      guard quirks.reportsDismissalAsExpiry else { return .expired }
      // A dismissal if its time cannot be up yet; the margin covers the daemon's own clockwork.
      let due: Int? = lifetime == 0 ? nil : lifetime ?? quirks.defaultLifetime.map(Int.init)
      guard let due else { return .dismissed }
      return age < .milliseconds(due - min(due / 10, 200)) ? .dismissed : .expired
    case CloseReason(rawValue: 0) where quirks.reportsDismissalAsZero: return .dismissed
    default: return .gone
    }
  }

  /// The response for an action key that was sent.
  static func action(_ meaning: Translator.ActionMeaning) -> ResponseRecord.Action {
    switch meaning {
    // That an attachment was opened is none; whoever asks for one has the click.
    case .default, .attachment: .default
    case .button(let identifier), .textInput(let identifier): .custom(identifier)
    case .settings: .settings
    }
  }
}

internal import BridgeStore
internal import DesktopEnvironment
internal import DesktopServices
internal import NotificationBridge

/// What the user set in `notify-bridge.conf`. A wrong value counts as not given, and is reported.
///
/// Source: notify-bridge.conf(5).
struct Configuration: Sendable {
  var pendingLimit = 10_000
  var deliveredLimit = 1_000
  var collapseAfter = 0
  var permissions: [String: EnginePolicy.Permission] = [:]
  var standardPermission = EnginePolicy.Permission.allow
  var hidesPreviewsWhenLocked = true
  var history = HistoryLimits()
  var handlerTimeout = Duration.seconds(30)
  var playsSounds = true
  /// What is wrong, a sentence each.
  private(set) var problems: [String] = []

  /// Reads `files`, the most important first: of a key that several have, the first one's counts.
  init(_ files: [String]) {
    for file in files.reversed() {
      do throws(KeyFileError) {
        take(try KeyFile(file: file))
      } catch  where error.isMissing {
        continue
      } catch {
        problems.append("\(error)")
      }
    }
  }

  private static let known: [String: Set<String>] = [
    "limits": ["pending", "delivered"], "threads": ["collapse-after"], "previews": ["when-locked"],
    "history": ["entries", "days"], "handlers": ["timeout"], "sound": ["play"],
  ]

  private mutating func take(_ file: KeyFile) {
    for group in file.groups where group != "authorization" {
      guard let keys = Self.known[group] else {
        problems.append("\(file.name): unknown group [\(group)]")
        continue
      }
      for key in file.keys(of: group) where !keys.contains(key) {
        problems.append("\(file.name): unknown key \(key) in [\(group)]")
      }
    }
    number(file, "limits", "pending", 0...1_000_000) { $0.pendingLimit = $1 }
    number(file, "limits", "delivered", 0...100_000) { $0.deliveredLimit = $1 }
    number(file, "threads", "collapse-after", 0...1_000) { $0.collapseAfter = $1 }
    number(file, "history", "entries", 0...1_000_000) { $0.history.entries = $1 }
    number(file, "history", "days", 0...36_500) { $0.history.days = $1 }
    word(file, "previews", "when-locked", ["hide": true, "show": false]) { $0.hidesPreviewsWhenLocked = $1 }
    word(file, "sound", "play", ["true": true, "false": false]) { $0.playsSounds = $1 }
    text(file, "handlers", "timeout") { configuration, text in
      guard let time = TimeSpan.duration(text) else { return "is no time: give seconds, or a number with ms, s, m, h" }
      configuration.handlerTimeout = time
      return nil
    }
    for key in file.keys(of: "authorization") {
      text(file, "authorization", key) { configuration, text in
        guard let permission = EnginePolicy.Permission(rawValue: text) else { return "must be allow, ask or deny" }
        if key == "default" {
          configuration.standardPermission = permission
        } else {
          configuration.permissions[key] = permission
        }
        return nil
      }
    }
  }

  /// - Parameter use: takes the value, or says what is wrong with it.
  private mutating func text(
    _ file: KeyFile, _ group: String, _ key: String, _ use: (inout Configuration, String) -> String?
  ) {
    do throws(KeyFileError) {
      guard let text = try file.string(key, in: group) else { return }
      if let fault = use(&self, text) { problems.append("\(file.name): \(key) in [\(group)] \(fault)") }
    } catch {
      problems.append("\(error)")
    }
  }

  private mutating func number(
    _ file: KeyFile, _ group: String, _ key: String, _ range: ClosedRange<Int>,
    _ use: (inout Configuration, Int) -> Void
  ) {
    text(file, group, key) { configuration, text in
      guard let number = Int(text), range.contains(number) else {
        return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
      }
      use(&configuration, number)
      return nil
    }
  }

  private mutating func word<Value>(
    _ file: KeyFile, _ group: String, _ key: String, _ words: [String: Value],
    _ use: (inout Configuration, Value) -> Void
  ) {
    text(file, group, key) { configuration, text in
      guard let value = words[text] else { return "must be \(words.keys.sorted().joined(separator: " or "))" }
      use(&configuration, value)
      return nil
    }
  }

  /// How an engine behaves by it.
  func policy(soundFolders: [String], groupsFolder: String?) -> EnginePolicy {
    var policy = EnginePolicy()
    policy.refusalRetries = .max
    policy.inFlightLimit = 1
    policy.waitsForDaemon = true
    policy.soundFolders = soundFolders
    policy.groupsFolder = groupsFolder
    policy.deliveredLimit = deliveredLimit
    policy.hardDeliveredLimit = max(deliveredLimit, 10_000)
    policy.collapseAfter = collapseAfter
    policy.hidesPreviewsWhenLocked = hidesPreviewsWhenLocked
    policy.permissions = permissions
    policy.standardPermission = standardPermission
    return policy
  }
}

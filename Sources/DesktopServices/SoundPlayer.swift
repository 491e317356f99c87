/// A sound to be played.
public enum Sound: Sendable, Hashable {
  /// By its name in the sound theme, `message-new-instant` for example.
  case named(String)
  /// A file, by its absolute path.
  case file(String)

  /// For messages: its name or its path.
  public var name: String {
    switch self {
    case .named(let name), .file(let name): name
    }
  }
}

/// What came of playing a sound.
public enum SoundOutcome: Sendable, Hashable {
  case played
  /// The theme wants no sound here, or the volume is 0.
  case silent
  /// There is no such sound.
  case missing
  /// Nothing here can play it: no library, and no program that takes it.
  case noPlayer
  /// Why it was not played, for the log.
  case failed(String)
}

/// Runs a command; ``ChildProcess/run(_:)`` does, and so can a closure over ``TransientUnits``.
public typealias CommandRunner = @Sendable (Command) async throws(CommandError) -> CommandResult

/// Plays sounds where the notification daemon plays none: by libcanberra if it is installed, else by the first of
/// `pw-play`, `paplay`, `canberra-gtk-play` and `aplay` that does it.
///
/// The library is loaded when it is first needed and is in no other way depended on.
public struct SoundPlayer: Sendable {
  /// How a player plays.
  public struct Options: Sendable {
    /// Where `PATH`, the data folders and the language are looked for, and what players get.
    public var environment: [String: String]
    /// The sound theme.
    public var theme = SoundThemes.fallback
    /// The library's file name; nil: it is not used.
    public var library: String? = "libcanberra.so.0"
    /// After this a sound is ended.
    public var timeLimit = Duration.seconds(30)
    /// What runs players.
    public var runner: CommandRunner = { command throws(CommandError) in try await ChildProcess.run(command) }

    public init(environment: [String: String]) { self.environment = environment }
  }

  private let options: Options

  public init(_ options: Options) { self.options = options }

  /// Plays a sound to its end.
  /// - Parameters:
  ///   - application: the id of the application on whose behalf.
  ///   - volume: 0…1, of the amplitude.
  public nonisolated(nonsending) func play(
    _ sound: Sound, for application: String, volume: Double = 1
  ) async -> SoundOutcome {
    // Not a number is not louder than nothing.
    guard volume > 0 else { return .silent }
    let volume = min(volume, 1)
    let themes = SoundThemes(
      folders: DataFolders.all(options.environment), theme: options.theme, locale: locale)
    let found = await BlockingWork.result(within: .seconds(10)) { () -> SoundThemes.Found? in
      switch sound {
      case .named(let name): themes.find(name)
      case .file(let path): path.hasPrefix("/") ? SmallFile.isRegular(path) ? .file(path) : .missing : .missing
      }
    }
    switch found {
    case .file(let path): return await play(path, sound, application, volume)
    case .silence: return .silent
    case .missing: return .missing
    case nil: return .failed("looking for the sound took too long")
    }
  }

  private nonisolated(nonsending) func play(
    _ path: String, _ sound: Sound, _ application: String, _ volume: Double
  ) async -> SoundOutcome {
    if let library = options.library {
      // The path and not the name: what was found is what is played, whatever language and theme the library sees.
      var properties = [
        ("media.filename", path), ("application.id", application), ("media.role", "event"),
        ("canberra.volume", SoundVolume.decibels(volume)), ("canberra.cache-control", "never"),
      ]
      if case .named(let name) = sound { properties.append(("event.description", name)) }
      switch await Canberra.play(properties, library: library, timeLimit: options.timeLimit) {
      case .played: return .played
      case .failed(let reason): return .failed(reason)
      case .unable: break
      }
    }
    return await playByProgram(path, volume)
  }

  private nonisolated(nonsending) func playByProgram(_ path: String, _ volume: Double) async -> SoundOutcome {
    var failures: [String] = []
    for (name, arguments) in SoundVolume.players(path, volume) {
      let command = Command(name, arguments, environment: options.environment, timeLimit: options.timeLimit)
      do throws(CommandError) {
        let ending = try await options.runner(command).ending
        switch ending {
        case .exited(0): return .played
        case .timedOut: return .failed("\(name) did not end in time and was ended")
        case .exited(let status): failures.append("\(name) ended with \(status)")
        case .signalled(let number): failures.append("\(name) was ended by signal \(number)")
        }
      } catch {
        if error.code != .programNotFound { failures.append(error.message) }
        if error.code == .uncertain { break }
      }
    }
    return failures.isEmpty ? .noPlayer : .failed(failures.joined(separator: "; "))
  }

  private var locale: String {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = options.environment[name], !value.isEmpty { return value }
    }
    return ""
  }
}

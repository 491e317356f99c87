public import DBus
internal import Glibc
internal import Synchronization

/// Whether the user's session is locked, as login1 or a screen saver says. Starts none of them.
///
/// A screen saver that is active without locking counts as locked: that errs on the side of privacy. A locker that
/// tells nobody (swaylock, i3lock) is not noticed.
public final class ScreenLock: Sendable {
  private struct State: Sendable {
    var hint: Bool?
    var savers: Bool?

    var isLocked: Bool? {
      if hint == true || savers == true { return true }
      return hint ?? savers
    }
  }

  private let state = Mutex(State())
  private let changed: @Sendable () -> Void
  private let sources = Mutex<(login: LoginLock?, savers: SaverLock?)>((nil, nil))

  /// - Parameters:
  ///   - session: a connection to the session bus.
  ///   - system: a connection to the system bus; nil where there is none.
  ///   - userID: whose session; nil: ours.
  ///   - changed: called when ``isLocked`` has changed, on the thread of whichever connection told; it must not block.
  public init(
    session: BusConnection?, system: BusConnection?, userID: UInt32? = nil, changed: @escaping @Sendable () -> Void
  ) {
    self.changed = changed
    let link = WeakLink<ScreenLock>()
    link.target = self
    let login = system.map { system in
      LoginLock(system, userID: userID ?? getuid()) { hint in link.target?.update { $0.hint = hint } }
    }
    let savers = session.map { session in
      SaverLock(session) { active in link.target?.update { $0.savers = active } }
    }
    sources.withLock { $0 = (login, savers) }
  }

  /// Whether the session is locked; nil while nobody has said.
  public var isLocked: Bool? { state.withLock { $0.isLocked } }

  private func update(_ change: (inout State) -> Void) {
    let changes = state.withLock { state in
      let before = state.isLocked
      change(&state)
      return before != state.isLocked
    }
    if changes { changed() }
  }
}

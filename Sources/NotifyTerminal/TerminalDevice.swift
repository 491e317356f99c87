internal import CLinux
internal import Glibc

/// Standard input, output and error; the only place that touches them.
struct TerminalDevice: Sendable {
  /// Nil, or why no screen can be drawn here.
  static func obstacle(environment: [String: String]) -> String? {
    if isatty(STDIN_FILENO) == 0 { return "stdin is no terminal" }
    if isatty(STDOUT_FILENO) == 0 { return "stdout is no terminal" }
    let term = environment["TERM"] ?? ""
    return term.isEmpty || term == "dumb" ? "TERM names no terminal that can be drawn on" : nil
  }

  /// True when the terminal belongs to another job: touching it would stop us.
  static var isInBackground: Bool {
    let foreground = tcgetpgrp(STDIN_FILENO)
    return foreground >= 0 && foreground != getpgrp()
  }

  /// Nil where the terminal does not know.
  var size: ScreenSize? {
    var size = winsize()
    guard unsafe clinux_window_size(STDOUT_FILENO, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return ScreenSize(columns: min(Int(size.ws_col), 1000), rows: min(Int(size.ws_row), 1000))
  }

  /// Writes all of `text` to stdout; false when nobody reads it any more.
  func write(_ text: String) -> Bool { Self.write(text, to: STDOUT_FILENO) }

  /// Writes to stderr.
  func remark(_ text: String) { _ = Self.write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { return false }
        // Another process made the terminal non-blocking: wait until it takes more.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wait, 1, 1000)
        continue
      }
      written += count
    }
    return true
  }

  /// Takes the screen: raw keys, alternate screen. What was typed before is thrown away, since it was not meant for
  /// what will be shown.
  func enterScreen() {
    ScreenGuard.arm()
    var modes = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    modes.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
    modes.c_oflag &= ~tcflag_t(OPOST)
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
    _ = write(ScreenMode.enter)
  }

  /// Gives the screen back as it was.
  func leaveScreen() {
    _ = write(ScreenMode.leave)
    ScreenGuard.disarm()
  }
}

/// Restores the terminal, also when the program crashes.
enum ScreenGuard {
  // What a signal handler reads must be plain memory that was set before. All of it is written by ``arm()`` before the
  // handlers are installed and never after; only one screen is drawn in a process.
  private nonisolated(unsafe) static var modes = termios()
  private nonisolated(unsafe) static var leave: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 64)
  private nonisolated(unsafe) static var length = 0
  private nonisolated(unsafe) static var isArmed = false

  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT]

  /// Remembers the terminal's modes, the first time, and installs the handlers.
  static func arm() {
    if unsafe isArmed { return }
    guard unsafe tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    for (index, byte) in ScreenMode.leave.utf8.enumerated().prefix(64) { unsafe leave[index] = byte }
    unsafe length = min(64, ScreenMode.leave.utf8.count)
    unsafe isArmed = true
    var action = sigaction()
    // Once: the signal then has its usual effect, so that the crash is reported as one.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
    unsafe action.__sigaction_handler.sa_handler = { number in
      ScreenGuard.restore()
      raise(number)
    }
    for number in crashes { unsafe sigaction(number, &action, nil) }
  }

  /// Restores the modes and takes the handlers away.
  static func disarm() {
    guard unsafe isArmed else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
    unsafe isArmed = false
    for number in crashes { signal(number, SIG_DFL) }
  }

  /// Calls nothing but what POSIX allows in a signal handler.
  private static func restore() {
    _ = unsafe Glibc.write(STDOUT_FILENO, leave.baseAddress, length)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }
}

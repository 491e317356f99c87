internal import Glibc

/// Writing to file descriptors at once, without a buffer that could be lost when the program is ended.
enum NotifySendOutput {
  /// Writes a whole line. A descriptor that is closed or full for good is nobody's fault here: the notification is
  /// what counts, and the real program does not look either.
  static func line(_ text: String, to descriptor: Int32 = STDOUT_FILENO) { write(text + "\n", to: descriptor) }

  /// A sentence for people, on standard error.
  static func message(_ text: String) { write("notify-send: \(text)\n", to: STDERR_FILENO) }

  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    if descriptor < 0 { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&ready, 1, 10_000) <= 0 { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}

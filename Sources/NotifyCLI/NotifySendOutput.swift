internal import Glibc

/// Where this mode prints. Errors are not looked at: the notification is what counts, as for the real program.
enum NotifySendOutput {
  /// A line of results, or of what goes to a descriptor that the caller named; a negative one is none.
  static func line(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    if descriptor >= 0 { Output.write(text + "\n", to: descriptor) }
  }

  /// A sentence for people, on standard error.
  static func message(_ text: String) { Output.write("notify-send: \(text)\n", to: STDERR_FILENO) }
}

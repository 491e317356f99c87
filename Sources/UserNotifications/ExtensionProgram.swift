internal import Glibc
package import NotificationBridge
internal import Synchronization

/// The side of an application's extension in its talk with the bridge: one JSON object a line, on standard input and
/// output. For the library's own use.
package enum ExtensionProgram {
  /// Where the extension's messages go; from any thread, in order.
  package final class Output: Sendable {
    private let file: Int32
    private let lock = Mutex(())

    init(_ file: Int32) { self.file = file }

    /// Sends a message. Once the bridge has gone there is nobody left to run for.
    package func send(_ message: ExtensionMessage) {
      guard var line = try? JSONEncoder().encode(message.document) else {
        return ExtensionProgram.complain("a message cannot be put into JSON: \(message.kind)")
      }
      line.append(UInt8(ascii: "\n"))
      lock.withLock { _ in
        unsafe line.withUnsafeBytes { bytes in
          var rest = unsafe bytes[...]
          while unsafe !rest.isEmpty {
            let count = unsafe write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { exit(0) }
            unsafe rest = rest.dropFirst(count)
          }
        }
      }
    }
  }

  /// Takes each message on the main queue until the bridge ends the talk; then the process ends with 0.
  /// - Parameter expire: takes that message at once, on another thread: the main queue may be what holds things up.
  package static func run(
    expire: @escaping @Sendable (Output) -> Void = { _ in },
    _ take: @escaping @MainActor @Sendable (ExtensionMessage, Output) -> Void
  ) -> Never {
    _ = signal(SIGPIPE, SIG_IGN)
    // What the extension prints is no message: it goes where its errors go, to the bridge's log.
    let (input, output) = (dup(STDIN_FILENO), dup(STDOUT_FILENO))
    guard input >= 0, output >= 0, isatty(input) == 0 else {
      complain(
        "this is a notification extension: the bridge runs it. To try it: notify-bridge extension check BUNDLE.appex")
      exit(2)
    }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let nothing = unsafe open("/dev/null", O_RDONLY)
    if nothing >= 0 { dup2(nothing, STDIN_FILENO) }
    for file in [input, output, nothing] where file > STDERR_FILENO { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    let sink = Output(output)
    Thread.detachNewThread {
      read(input) { message in
        if case .expire = message { return DispatchQueue.global().async { expire(sink) } }
        DispatchQueue.main.async { MainActor.assumeIsolated { take(message, sink) } }
      }
      DispatchQueue.main.async { exit(0) }
      // Nobody is left to run for, whatever the main queue is waiting for.
      Thread.sleep(forTimeInterval: 2)
      exit(0)
    }
    // Not dispatchMain(), which leaves the main thread. A run loop without a source would return at once.
    let holder = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    RunLoop.main.add(holder, forMode: .default)
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// Says something to whoever looks after the extension: it comes into the bridge's log.
  package static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// Reads lines until the end.
  private static func read(_ file: Int32, _ take: (ExtensionMessage) -> Void) {
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      for byte in buffer[..<count] {
        if byte != UInt8(ascii: "\n") {
          line.append(byte)
        } else {
          if let message = message(line) { take(message) }
          line.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private static func message(_ line: Data) -> ExtensionMessage? {
    guard !line.isEmpty else { return nil }
    do {
      let document = try JSONDecoder().decode([String: PropertyValue].self, from: line)
      return try ExtensionMessage(document: document, named: "message")
    } catch {
      complain("a line of the bridge's cannot be understood: \(error)")
      return nil
    }
  }
}

internal import Glibc

/// What the program was called with.
struct Invocation: Sendable {
  /// The last part of the name it was called by.
  var program: String
  /// The arguments behind it; what is not UTF-8 is repaired.
  var arguments: [String]
  /// The same as they came.
  var bytes: [[UInt8]]
  var environment: [String: String]

  /// The numbers, from 1, of arguments that had to be repaired.
  var repaired: [Int] {
    arguments.indices.filter { !arguments[$0].utf8.elementsEqual(bytes[$0]) }.map { $0 + 1 }
  }

  /// That of this process.
  static func current() -> Invocation {
    var bytes: [[UInt8]] = []
    let argc = Int(CommandLine.argc)
    let argv = unsafe CommandLine.unsafeArgv
    for index in 0..<argc {
      guard let text = unsafe argv[index] else { break }
      bytes.append(
        unsafe Array(
          UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))))
    }
    let texts = bytes.map { String(decoding: $0, as: UTF8.self) }
    return Invocation(
      program: texts.first?.split(separator: "/").last.map(String.init) ?? "notify-bridge",
      arguments: Array(texts.dropFirst()), bytes: Array(bytes.dropFirst()),
      environment: environment())
  }

  /// The variables that matter here; reading all of them costs more than the rest of the start.
  private static func environment() -> [String: String] {
    let names = [
      "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
      "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "DISPLAY", "WAYLAND_DISPLAY", "NOTIFY_BRIDGE_APP_ID", "COLORTERM", "TERM",
      "NO_COLOR",
    ]
    var result = [String: String](minimumCapacity: names.count)
    for name in names {
      if let value = unsafe getenv(name) { result[name] = unsafe String(cString: value) }
    }
    return result
  }
}

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
    var invocation = Invocation(program: "notify-bridge", arguments: [], bytes: [], environment: environment())
    let argc = Int(CommandLine.argc)
    let argv = unsafe CommandLine.unsafeArgv
    for index in 0..<argc {
      guard let text = unsafe argv[index] else { break }
      let bytes = unsafe Array(
        UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text)))
      if index == 0 {
        invocation.program = name(bytes)
      } else {
        invocation.arguments.append(String(decoding: bytes, as: UTF8.self))
        invocation.bytes.append(bytes)
      }
    }
    return invocation
  }

  /// What follows the last slash. By bytes, since it is done at each start.
  private static func name(_ path: [UInt8]) -> String {
    var start = 0
    for index in path.indices where path[index] == UInt8(ascii: "/") { start = index + 1 }
    return String(decoding: path[start...], as: UTF8.self)
  }

  private static func environment() -> [String: String] {
    variables([
      "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
      "DISPLAY", "WAYLAND_DISPLAY", "NOTIFY_BRIDGE_APP_ID", "COLORTERM", "TERM", "NO_COLOR", "XDG_CONFIG_HOME",
      "XDG_CONFIG_DIRS",
    ])
  }

  /// The same with what chooses an application's texts, which few commands need.
  var environmentForTexts: [String: String] {
    environment.merging(
      Self.variables(["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NOTIFY_BRIDGE_STRINGS_DIR"])
    ) { given, _ in given }
  }

  private static func variables(_ names: [StaticString]) -> [String: String] {
    var result = [String: String](minimumCapacity: names.count)
    for name in names {
      let pointer = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      if let value = unsafe getenv(pointer) { result["\(name)"] = unsafe String(cString: value) }
    }
    return result
  }
}

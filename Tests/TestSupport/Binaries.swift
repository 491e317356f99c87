import Foundation

/// Where the built programs are.
public enum Binaries {
  /// The folder with `Package.swift`.
  public static let packageRoot: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The release command: `NOTIFY_BRIDGE_BIN`, else what `make build` made.
  public static func notifyBridge() throws -> String {
    let name = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_BIN"] ?? "\(packageRoot)/.build/bin/notify-bridge"
    return try existing(name, hint: "run `make build`, or set NOTIFY_BRIDGE_BIN to the command to be tested")
  }

  /// The same program under its name `notify-send`, beside it.
  public static func notifySend() throws -> String {
    let folder = (try notifyBridge() as NSString).deletingLastPathComponent
    return try existing("\(folder)/notify-send", hint: "run `make build`")
  }

  /// The release bridge: `NOTIFY_BRIDGED_BIN`, else what `make build` made.
  public static func notifyBridged() throws -> String {
    let name = ProcessInfo.processInfo.environment["NOTIFY_BRIDGED_BIN"] ?? "\(packageRoot)/.build/bin/notify-bridged"
    return try existing(name, hint: "run `make build`, or set NOTIFY_BRIDGED_BIN to the bridge to be tested")
  }

  /// A program of this package as the tests themselves were built (debug), for example `sample-demo`.
  public static func debugProduct(_ name: String) throws -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let folder = tests.path.hasPrefix(packageRoot) ? tests.path : "\(packageRoot)/.build/debug"
    return try existing("\(folder)/\(name)", hint: "run `swift build --build-tests`")
  }

  /// A file or program below the package's folder, for example `Tests/Daemons/with-daemon`.
  public static func file(_ path: String) throws -> String {
    try existing("\(packageRoot)/\(path)", hint: "it belongs to the repository")
  }

  private static func existing(_ path: String, hint: String) throws -> String {
    if !FileManager.default.fileExists(atPath: path) { throw RunnerError("\(path) is not there: \(hint)") }
    return path
  }
}

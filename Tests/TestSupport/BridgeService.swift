import Foundation
import Glibc

/// How a bus starts the built bridge, in a home of a test's own, and which processes it started.
struct BridgeService {
  /// The name of the bridge on the bus.
  static let busName = "org.notifybridge.Bridge1"

  let home: TemporaryHome
  /// The script that the bus runs.
  private let script: String

  /// - Parameters:
  ///   - variables: what the bridge gets beside what the bus has.
  ///   - unset: the names of variables that it does not get.
  init(in home: TemporaryHome, variables: [String: String] = [:], unset: [String] = []) throws {
    self.home = home
    // The script's process becomes the bridge's.
    script = try home.write(
      "#!/bin/sh\necho $$ >>'\(home.path)/bridges'\n"
        + home.environment.merging(variables) { $1 }.map { "export \($0)='\($1)'\n" }.sorted().joined()
        + "unset \((["LANGUAGE", "NOTIFY_SOCKET", "JOURNAL_STREAM"] + unset).joined(separator: " "))\n"
        + "exec '\(try Binaries.notifyBridged())'\n", to: "start-bridge", permissions: 0o700)
  }

  /// The activation file.
  var file: String { "[D-BUS Service]\nName=\(Self.busName)\nExec=\(script)\n" }

  /// The processes that were started and still run, the newest last.
  var processes: [Int32] {
    let list = (try? String(contentsOfFile: home.path + "/bridges", encoding: .utf8)) ?? ""
    return list.split(separator: "\n").compactMap { Int32($0) }.filter(isOurs)
  }

  /// Whether a process is a bridge of this home: numbers are used again.
  func isOurs(_ process: Int32) -> Bool {
    let variables = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))) ?? Data()
    return variables.split(separator: 0).contains(Data("HOME=\(home.path)".utf8)[...])
  }

  /// Kills all of them, as a crash would.
  func kill() { for process in processes { _ = Glibc.kill(process, SIGKILL) } }
}

internal import CLinux
public import DBus
internal import Glibc

/// Names callers on the bus by what the bus and the kernel say of them, never by what they say themselves.
///
/// A Flatpak's connection belongs to its proxy on the bus, which has the application's cgroup and `.flatpak-info`; a
/// snap's has its security label.
public struct CallerIdentifier: Sendable {
  private let connection: BusConnection
  private let processes: String

  /// - Parameters:
  ///   - connection: the bus on which callers call.
  ///   - processes: where the kernel shows processes; tests have their own.
  public init(on connection: BusConnection, processes: String = "/proc") {
    self.connection = connection
    self.processes = processes
  }

  /// Who a caller is. One that has left meanwhile, or whose process cannot be looked at within five seconds, cannot be
  /// named: ``CallerIdentity/unknownSandbox``.
  /// - Parameter caller: the unique name, as in ``Message/sender``. What it is never changes, so it may be kept.
  public nonisolated(nonsending) func identity(of caller: BusName) async -> CallerIdentity {
    let answer = try? await connection.call(
      MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetConnectionCredentials", [.string(caller.text)]),
      timeout: .seconds(5))
    guard let credentials = answer?.body.first?.asProperties,
      let process = credentials["ProcessID"]?.asInteger.flatMap({ Int32(exactly: $0) }), process > 0
    else { return .unknownSandbox }
    var label = credentials["LinuxSecurityLabel"]?.asBytes
    if label?.last == 0 { label?.removeLast() }
    let text = label.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    var descriptor: OwnedDescriptor?
    if case .unixFD(let given)? = credentials["ProcessFD"] { descriptor = given }
    // What the process sees may be a file system of its own, which answers when it likes.
    let evidence = await BlockingWork.result(within: .seconds(5)) { [processes, descriptor] in
      ProcessReader(root: processes, process: process, descriptor: descriptor).evidence(label: text)
    }
    return evidence?.identity ?? .unknownSandbox
  }
}

/// Reads what the kernel shows of a process. Blocks.
struct ProcessReader {
  let root: String
  let process: Int32
  /// The process itself, where the bus gave it.
  let descriptor: OwnedDescriptor?

  /// Nil if the process has gone, so that what was read may be another's.
  func evidence(label: String?) -> CallerEvidence? {
    let life = descriptor ?? opened()
    guard let cgroup = text(of: "cgroup"), let status = text(of: "status") else { return nil }
    var evidence = CallerEvidence(label: label, cgroup: cgroup)
    evidence.isInNestedNamespace = Self.isInNestedNamespace(status)
    evidence.flatpakInfo = flatpakInfo()
    if let life {
      var entry = pollfd(fd: life.rawValue, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&entry, 1, 0) != 0 { return nil }
    }
    return evidence
  }

  private func opened() -> OwnedDescriptor? {
    guard root == "/proc" else { return nil }
    let descriptor = clinux_pidfd_open(process)
    return descriptor < 0 ? nil : OwnedDescriptor(adopting: descriptor)
  }

  /// `NSpid:` lists the process's number in our namespace and in each below it that it is in.
  static func isInNestedNamespace(_ status: String) -> Bool {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("NSpid:") }) else { return false }
    return line.dropFirst(6).split(whereSeparator: { $0 == "\t" || $0 == " " }).count > 1
  }

  private func flatpakInfo() -> CallerEvidence.FlatpakInfo {
    switch contents("root/.flatpak-info") {
    case .success(let text): return .text(text)
    case .failure(.missing): return .absent
    case .failure(.unreadable): return .unreadable
    case .failure(.malformed): return .malformed
    }
  }

  private func text(of name: String) -> String? { try? contents(name).get() }

  private func contents(_ name: String) -> Result<String, SmallFile.Fault> {
    SmallFile.contents("\(root)/\(process)/\(name)", followsLink: false)
  }
}

import DBus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DesktopServices

@Suite("Who calls", .timeLimit(.minutes(1)))
struct CallerIdentityTests {
  static let session = "/user.slice/user-1000.slice/user@1000.service/app.slice/"

  @Test(
    "The security label of a confined snap names it; one that is not confined is who it says",
    arguments: [
      ("snap.firefox.firefox (enforce)", .application("firefox_firefox")),
      ("snap.some-snap.an-app (enforce)", .application("some-snap_an-app")),
      ("snap.firefox_two.firefox (enforce)", .application("firefox+two_firefox")),
      ("snap.lxd.hook.configure (enforce)", .application("lxd")),
      ("snap.firefox.firefox//child (enforce)", .application("firefox_firefox")),
      ("snap.code.code (complain)", .free),
      ("unconfined", .free),
      ("/usr/bin/evince (enforce)", .free),
      ("firefox (enforce)", .free),
      ("unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023", .free),
      ("snap. (enforce)", .unknownSandbox),
      ("snap.. (enforce)", .unknownSandbox),
      ("snap.UPPER.app (enforce)", .unknownSandbox),
      ("snap.a-.app (enforce)", .unknownSandbox),
      ("snap.123.app (enforce)", .unknownSandbox),
      ("snap.firefox (enforce)", .unknownSandbox),
      ("snap.fire fox.x (enforce)", .unknownSandbox),
      ("snap.a.b.c (enforce)", .unknownSandbox),
      ("snap.\(String(repeating: "a", count: 41)).b (enforce)", .unknownSandbox),
    ] as [(String, CallerIdentity)])
  func labels(label: String, expected: CallerIdentity) {
    #expect(CallerEvidence(label: label, cgroup: "0::/\n").identity == expected)
  }

  @Test(
    "The cgroup of a Flatpak or a snap names it",
    arguments: [
      ("app-flatpak-org.example.App-1234.scope", .application("org.example.App")),
      ("app-flatpak-org.example.Some\\x2dApp-1234.scope", .application("org.example.Some-App")),
      ("app-flatpak-org.example.Some-App-1234.scope", .application("org.example.Some-App")),
      ("flatpak-org.example.App-7.scope", .application("org.example.App")),
      ("app-flatpak-org.example.App.scope", .unknownSandbox),
      ("app-flatpak-org.example.App-x.scope", .unknownSandbox),
      ("app-flatpak-example-1.scope", .unknownSandbox),
      ("app-flatpak-org.example.-App-1.scope", .unknownSandbox),
      ("app-flatpak-org.example.App\\x2f..-1.scope", .unknownSandbox),
      ("app-flatpak-.scope", .unknownSandbox),
      ("snap.firefox.firefox-01234567-89ab-cdef-0123-456789abcdef.scope", .application("firefox_firefox")),
      ("snap.firefox.firefox.01234567-89ab-cdef-0123-456789abcdef.scope", .application("firefox_firefox")),
      ("snap.lxd.daemon.service", .application("lxd_daemon")),
      ("snap.firefox.firefox.scope", .unknownSandbox),
      ("snap..service", .unknownSandbox),
      ("app-org.example.App@12.service", .free),
      ("app-gnome-org.example.App-12.scope", .free),
      ("session-2.scope", .free),
    ] as [(String, CallerIdentity)])
  func cgroups(unit: String, expected: CallerIdentity) {
    for text in [
      "0::\(Self.session)\(unit)\n", "12:pids:/x\n1:name=systemd:\(Self.session)\(unit)/inner\n0::/\n",
    ] { #expect(CallerEvidence(cgroup: text).identity == expected, "\(text)") }
    // A path of another controller is no unit.
    #expect(CallerEvidence(cgroup: "3:cpu:/\(unit)\n").identity == .free)
  }

  @Test("A snap's cgroup does not count for what AppArmor does not confine: a classic snap's terminal is free")
  func classicSnap() {
    let cgroup = "0::\(Self.session)snap.code.code-01234567-89ab-cdef-0123-456789abcdef.scope\n"
    #expect(CallerEvidence(cgroup: cgroup).identity == .application("code_code"))
    #expect(CallerEvidence(label: "snap.code.code (complain)", cgroup: cgroup).identity == .free)
    #expect(CallerEvidence(label: "unconfined", cgroup: cgroup).identity == .free)
    #expect(CallerEvidence(label: "snap.code.code (enforce)", cgroup: cgroup).identity == .application("code_code"))
  }

  @Test(
    "A Flatpak's own file names it only with a proper id",
    arguments: [
      ("[Application]\nname=org.example.App\nruntime=x\n", .application("org.example.App")),
      ("[Instance]\nname=org.evil.A\n[Application]\nname=org.example.App\n", .application("org.example.App")),
      ("[Application]\nname=org.example.App\nname=org.example.App\n", .application("org.example.App")),
      ("[Application]\nname=org.example.App\nname=org.example.Other\n", .unknownSandbox),
      ("[Instance]\nname=org.example.App\n", .unknownSandbox),
      ("", .unknownSandbox),
      ("[Application]\nname=\n", .unknownSandbox),
      ("[Application]\nname=../../etc\n", .unknownSandbox),
      ("[Application]\nname=org.example.App\u{0}\n", .unknownSandbox),
      ("[Application]\nname=org.example.Äpp\n", .unknownSandbox),
      ("[Application]\nname=org.example.A b\n", .unknownSandbox),
      ("[Application]\nname=org.example.7zip\n", .unknownSandbox),
      ("[Application]\nname=org.ex-ample.App\n", .unknownSandbox),
      ("[Application]\nname=notify-bridge\n", .unknownSandbox),
      ("[Application]\nname=org..App\n", .unknownSandbox),
      ("[Application]\nname=a.b.\(String(repeating: "c", count: 255))\n", .unknownSandbox),
    ] as [(String, CallerIdentity)])
  func flatpakInfo(text: String, expected: CallerIdentity) {
    #expect(CallerEvidence(cgroup: "0::/\n", flatpakInfo: .text(text)).identity == expected)
  }

  @Test("Evidence that disagrees, or cannot be what it should, leads to no name")
  func disagreement() {
    let cgroup = "0::\(Self.session)app-flatpak-org.example.App-1.scope\n"
    let info = CallerEvidence.FlatpakInfo.text("[Application]\nname=org.example.App\n")
    #expect(CallerEvidence(cgroup: cgroup, flatpakInfo: info).identity == .application("org.example.App"))
    let other = CallerEvidence.FlatpakInfo.text("[Application]\nname=org.example.Other\n")
    #expect(CallerEvidence(cgroup: cgroup, flatpakInfo: other).identity == .unknownSandbox)
    #expect(CallerEvidence(label: "snap.a.b (enforce)", cgroup: cgroup).identity == .unknownSandbox)
    #expect(CallerEvidence(cgroup: "0::/\n", flatpakInfo: .malformed).identity == .unknownSandbox)
    #expect(CallerEvidence(cgroup: "0::/\n", isInNestedNamespace: true).identity == .unknownSandbox)
    #expect(CallerEvidence(cgroup: cgroup, isInNestedNamespace: true).identity == .application("org.example.App"))
    // A bridge that is hardened may never look; a Flatpak is then known by its cgroup.
    #expect(CallerEvidence(cgroup: "0::/\n", flatpakInfo: .unreadable).identity == .free)
    #expect(CallerEvidence(cgroup: cgroup, flatpakInfo: .unreadable).identity == .application("org.example.App"))
  }

  @Test("Hostile text neither traps nor names", arguments: ["", ":", "::", "0", "0::", "\u{0}", "0::/.scope/.service"])
  func hostile(text: String) {
    #expect(CallerEvidence(label: text, cgroup: text, flatpakInfo: .text(text)).identity == .unknownSandbox)
    #expect(ProcessReader.isInNestedNamespace(text) == false)
  }

  // MARK: On a bus

  /// A caller on a bus, and a folder in place of `/proc` in which it looks as the test likes.
  private func identity(
    named program: String? = nil, cgroup: String? = "0::/\n", status: String = "NSpid:\t5\n",
    change: (TemporaryHome, String) throws -> Void = { _, _ in }
  ) async throws -> CallerIdentity {
    let bus = try await PrivateBus()
    let caller = try await BusConnection.connect(to: bus.address)
    let connection = try await BusConnection.connect(to: bus.address)
    let home = try TemporaryHome()
    let folder = "proc/\(getpid())"
    try home.makeFolder("\(folder)/root")
    if let cgroup { try home.write(cgroup, to: "\(folder)/cgroup") }
    try home.write(status, to: "\(folder)/status")
    try change(home, folder)
    let identifier = CallerIdentifier(on: connection, processes: "\(home.path)/proc")
    return try await identifier.identity(of: #require(caller.uniqueName))
  }

  @Test("This very process is free")
  func ourselves() async throws {
    let bus = try await PrivateBus()
    let connection = try await BusConnection.connect(to: bus.address)
    let identity = try await CallerIdentifier(on: connection).identity(of: #require(connection.uniqueName))
    #expect(identity == .free)
  }

  @Test("A caller is named by what the kernel shows of its process")
  func named() async throws {
    #expect(try await identity() == .free)
    let cgroup = "0::\(Self.session)app-flatpak-org.example.App-1.scope\n"
    #expect(try await identity(cgroup: cgroup) == .application("org.example.App"))
    #expect(try await identity(status: "Name:\tx\nNSpid:\t5\t1\n") == .unknownSandbox)
    let named = try await identity { home, folder in
      try home.write("[Application]\nname=org.example.App\n", to: "\(folder)/root/.flatpak-info")
    }
    #expect(named == .application("org.example.App"))
  }

  @Test("A file that is a link, a pipe or endless does not name, and is not waited for")
  func oddFiles() async throws {
    let linked = try await identity { home, folder in
      try home.write("[Application]\nname=org.example.App\n", to: "elsewhere")
      try FileManager.default.createSymbolicLink(
        atPath: "\(home.path)/\(folder)/root/.flatpak-info", withDestinationPath: "\(home.path)/elsewhere")
    }
    #expect(linked == .unknownSandbox)
    let start = ContinuousClock.now
    let pipe = try await identity { home, folder in
      _ = unsafe mkfifo("\(home.path)/\(folder)/root/.flatpak-info", 0o600)
    }
    #expect(pipe == .unknownSandbox)
    #expect(start.duration(to: .now) < .seconds(4))
    let endless = try await identity { home, folder in
      try home.write([UInt8](repeating: 10, count: 70_000), to: "\(folder)/root/.flatpak-info")
    }
    #expect(endless == .unknownSandbox)
  }

  @Test("A caller whose process has gone, or who has left, cannot be named")
  func gone() async throws {
    #expect(try await identity(cgroup: nil) == .unknownSandbox)
    let bus = try await PrivateBus()
    let connection = try await BusConnection.connect(to: bus.address)
    #expect(await CallerIdentifier(on: connection).identity(of: ":1.999") == .unknownSandbox)
    let bystander = try BinaryRunner("/bin/true")
    _ = await bystander.result()
    #expect(ProcessReader(root: "/proc", process: bystander.processID, descriptor: nil).evidence(label: nil) == nil)
  }

  @Test("A process in a namespace below ours looks sandboxed, whatever it calls itself")
  func nested() async throws {
    let runner = try BinaryRunner(
      "unshare", ["--pid", "--fork", "--", "bash", "-c", "exec -a org.example.App sleep 30"], timeLimit: .seconds(40))
    try await runner.whileRunning { runner in
      // The child of unshare is the first process of the new namespace.
      var child: Int32?
      try await eventually(within: .seconds(10), "the child runs") {
        let path = "/proc/\(runner.processID)/task/\(runner.processID)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        child = Int32(children.split(separator: " ").first ?? "")
        return child != nil
      }
      let evidence = ProcessReader(root: "/proc", process: child ?? 0, descriptor: nil).evidence(label: nil)
      #expect(evidence?.identity == .unknownSandbox)
      if let child { kill(child, SIGKILL) }
    }
  }
}

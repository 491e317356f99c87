import DBus
import Foundation
import TestSupport
import Testing

@Suite("Passing file descriptors", .timeLimit(.minutes(1)))
struct DescriptorTests {
  /// How many descriptors this process has open that lead to `path`.
  private func openCount(of path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
  }

  @Test("A file arrives as an own duplicate, and every duplicate is closed in the end")
  func roundTrip() async throws {
    let bus = try await PrivateBus()
    let file = bus.folder + "/passed"
    try "inside".write(toFile: file, atomically: true, encoding: .utf8)
    do {
      let peer = try await EchoPeer(bus, signatures: ["h", "ah"])
      let client = try await BusConnection.connect(to: bus.address)
      let descriptor = OwnedDescriptor(adopting: unsafe open(file, O_RDONLY | O_CLOEXEC))
      let answer = try await client.call(peer.call("Echo1", [.unixFD(descriptor)]))
      guard case .unixFD(let received) = try #require(answer.body.first) else {
        Issue.record("no descriptor came")
        return
      }
      #expect(received.rawValue != descriptor.rawValue)
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = unsafe pread(received.rawValue, &buffer, 16, 0)
      #expect(buffer.prefix(max(0, count)).elementsEqual("inside".utf8))

      let many = Value.array(of: "h", Array(repeating: .unixFD(descriptor), count: 16))
      #expect(try await client.call(peer.call("Echo2", [many])).body.first?.asArray?.count == 16)
      // Unwanted, undecoded and wrongly typed messages must not leak either.
      _ = await busError { () throws(BusError) in _ = try await client.call(peer.call("Echo2", [.unixFD(descriptor)])) }
      peer.connection.emit(Signal(at: "/a", "org.example.A", "B", [.unixFD(descriptor)], to: client.uniqueName))
      _ = try await client.call(peer.echo(.byte(1)))
    }
    try await eventually(within: .seconds(30), "every duplicate is closed") { try openCount(of: file) == 0 }
  }

  @Test("A descriptor that is not open is refused")
  func notOpen() {
    #expect(throws: BusError.self) { try OwnedDescriptor(duplicating: 1_000_000) }
    #expect(throws: BusError.self) { try OwnedDescriptor(duplicating: -1) }
  }

  @Test("Descriptors over a bus that passes none are an error, for callers of both ways")
  func tcp() async throws {
    let bus = try await PrivateBus(listensOnTCP: true)
    let address = try #require(bus.tcpAddress)
    let server = try await BusConnection.connect(to: address)
    let client = try await BusConnection.connect(to: address)
    let name = try #require(server.uniqueName)
    let export = server.export(
      ExportedInterface(
        "org.example.FD",
        methods: [
          .init("Get") { call in call.reply([.unixFD(try! OwnedDescriptor(duplicating: 0))]) }
        ]), at: "/fd")
    let sent = await busError { () throws(BusError) in
      _ = try await client.call(
        MethodCall(to: name, at: "/fd", "org.example.FD", "Get", [.unixFD(try OwnedDescriptor(duplicating: 0))]))
    }
    #expect(sent?.code == .unsupported)
    let answered = await busError { () throws(BusError) in
      _ = try await client.call(MethodCall(to: name, at: "/fd", "org.example.FD", "Get"), timeout: .seconds(10))
    }
    #expect(answered?.name == .failed)
    withExtendedLifetime(export) {}
  }
}

import DBus
import TestSupport
import Testing

@Suite("Calls over a private bus", .timeLimit(.minutes(1)))
struct CallTests {
  @Test("10,000 calls in a row are all answered")
  func sequential() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let clock = ContinuousClock()
    let time = try await clock.measure {
      for number in 0..<UInt32(10_000) {
        let answer = try await client.call(peer.echo([.uint32(number)]))
        #expect(answer.body == [.uint32(number)])
      }
    }
    print("10,000 calls in a row: \(time)")
  }
}

import BridgeControl
import DBus
import Foundation
import NotificationBridge
import TestSupport
import Testing

/// What the bridge takes of one request, it can also give back; what it could not is refused.
@Suite("What a request may hold", .timeLimit(.minutes(1))) struct RequestLimitTests {
  private let application = ApplicationRecord(identifier: "org.example.Large", name: "Large")

  private func nested(_ levels: Int) -> PropertyValue {
    (0..<levels).reduce(PropertyValue.string("bottom")) { value, level in
      level.isMultiple(of: 2) ? .array([value]) : .dictionary(["deeper": value])
    }
  }

  private func request(_ identifier: String, userInfo value: PropertyValue) -> RequestRecord {
    var request = RequestRecord.plain(identifier, title: identifier)
    request.content.userInfo = ["value": value]
    return request
  }

  @Test("userInfo of 15 levels comes back with lists and responses; deeper is refused by name")
  func depth() async throws {
    let fixture = try await BridgeFixture()
    let client = ControlClient(on: fixture.connection)
    let deepest = request("deep", userInfo: nested(PropertyValue.depthLimit))
    _ = try await client.post(deepest, from: application)
    #expect(try await client.delivered(application.identifier).map(\.request) == [deepest])
    let key = NotificationKey(application: application.identifier, identifier: "deep")
    async let outcome = client.wait(key)
    try await eventually(within: .seconds(10), "somebody waits") {
      try await client.act(on: key, action: nil, text: nil)
      return true
    }
    guard case .responded(let response) = try await outcome else { throw DidNotHappen("a response") }
    #expect(response.notification.request == deepest)
    let error = await #expect(throws: BridgeError.self) {
      try await client.post(request("deeper", userInfo: nested(PropertyValue.depthLimit + 1)), from: application)
    }
    #expect(error?.code == .invalidRequest && error?.message.contains("userInfo is nested too deep") == true)
  }

  @Test("Over 1 MiB is refused with what to do; a little less is kept and comes back")
  func size() async throws {
    let fixture = try await BridgeFixture()
    let client = ControlClient(on: fixture.connection)
    let large = request("large", userInfo: .string(String(repeating: "x", count: 1_000_000)))
    _ = try await client.post(large, from: application)
    #expect(try await client.delivered(application.identifier).map(\.request) == [large])
    let error = await #expect(throws: BridgeError.self) {
      try await client.post(
        request("larger", userInfo: .string(String(repeating: "x", count: 1_100_000))), from: application)
    }
    #expect(error?.code == .invalidRequest && error?.message.contains("name in userInfo where the data lies") == true)
  }
}

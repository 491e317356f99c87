import DBus
import TestSupport
import Testing

/// A peer whose method `Echo` answers with what it got.
final class EchoPeer: Sendable {
  let connection: BusConnection
  let name: BusName
  private let export: Export

  init(_ bus: PrivateBus, signatures: [Signature] = ["u"]) async throws {
    connection = try await BusConnection.connect(to: bus.address)
    name = try #require(connection.uniqueName)
    export = connection.export(
      ExportedInterface(
        "org.example.Echo",
        methods: signatures.enumerated().map { index, type in
          .init(
            MemberName(unchecked: index == 0 ? "Echo" : "Echo\(index)"),
            takes: type.singles.map { .init("in", $0) }, returns: type.singles.map { .init("out", $0) }
          ) { call in call.reply(call.message.body) }
        }),
      at: "/echo")
  }

  func echo(_ body: [Value], _ member: MemberName = "Echo") -> MethodCall {
    MethodCall(to: name, at: "/echo", "org.example.Echo", member, body)
  }
}

import DBus
import TestSupport
import Testing

/// A peer whose methods `Echo0`, `Echo1`, … answer with what they got; the first takes one variant.
final class EchoPeer: Sendable {
  let connection: BusConnection
  let name: BusName
  private let export: Export

  /// - Parameter signatures: what `Echo1` and the following take.
  init(_ bus: PrivateBus, signatures: [Signature] = []) async throws {
    var options = BusConnection.Options()
    options.maximumMessageSize = 128 << 20
    connection = try await BusConnection.connect(to: bus.address, options: options)
    name = try #require(connection.uniqueName)
    let methods = (["v"] + signatures).enumerated().map { index, type in
      ExportedInterface.Method(
        try! MemberName("Echo\(index)"), takes: type.singles.map { .init("in", $0) },
        returns: type.singles.map { .init("out", $0) }
      ) { call in call.reply(call.message.body) }
    }
    let silent = ExportedInterface.Method("Silent") { _ in }
    let kept = ExportedInterface.Method("Keep", takes: []) { [keeper] call in keeper.keep(call) }
    let failing = ExportedInterface.Method("Fail", takes: [.init("text", "s")]) { call in
      call.fail("org.example.Error.Asked", call.message.body.first?.asString ?? "")
    }
    export = connection.export(
      ExportedInterface("org.example.Echo", methods: methods + [silent, kept, failing]), at: "/echo")
  }

  /// The calls of `Keep`, unanswered until they are let go.
  let keeper = Keeper()

  func call(_ member: MemberName, _ body: [Value] = []) -> MethodCall {
    MethodCall(to: name, at: "/echo", "org.example.Echo", member, body)
  }

  func echo(_ value: Value) -> MethodCall { call("Echo0", [.variant(value)]) }
}

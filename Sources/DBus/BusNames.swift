/// How a name is asked for.
///
/// Source: D-Bus Specification, "org.freedesktop.DBus.RequestName".
public struct NameOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Others who ask with `replaceExisting` get the name.
  public static let allowReplacement = NameOptions(rawValue: 1)
  /// Takes the name from an owner who allows it.
  public static let replaceExisting = NameOptions(rawValue: 2)
  /// Never waits in the queue for the name.
  public static let doNotQueue = NameOptions(rawValue: 4)
}

/// What came of asking for a name.
public enum NameReply: UInt32, Sendable, Hashable {
  /// The name is ours now.
  case owner = 1
  /// Somebody else has it; we get it when they let go.
  case queued = 2
  /// Somebody else has it, and we do not wait for it.
  case taken = 3
  /// It was ours before.
  case alreadyOwner = 4
}

/// Names of connections. Loss and gain are seen by subscribing to the bus's `NameLost`, `NameAcquired` and
/// `NameOwnerChanged`.
extension BusConnection {
  /// Asks for a name. After a loss it is asked for again with the same options.
  public nonisolated(nonsending) func requestName(
    _ name: BusName, _ options: NameOptions = []
  ) async throws(BusError) -> NameReply {
    let core = core
    core.executor.perform {
      core.wantedNames.removeAll { $0.name == name }
      core.wantedNames.append((name, options))
    }
    do throws(BusError) {
      let message = try await callBus("RequestName", [.string(name.text), .uint32(options.rawValue)])
      guard let reply = message.body.first?.asUInt32.flatMap(NameReply.init(rawValue:)) else {
        throw BusError(.unexpectedReply, "the bus answered RequestName with '\(message.signature)'")
      }
      if reply == .taken { forget(name) }
      return reply
    } catch {
      forget(name)
      throw error
    }
  }

  /// Gives a name back, or no longer waits for it.
  public nonisolated(nonsending) func releaseName(_ name: BusName) async throws(BusError) {
    forget(name)
    _ = try await callBus("ReleaseName", [.string(name.text)])
  }

  /// The unique name of `name`'s owner; nil if it has none.
  public nonisolated(nonsending) func owner(of name: BusName) async throws(BusError) -> BusName? {
    do throws(BusError) {
      let message = try await callBus("GetNameOwner", [.string(name.text)])
      guard let text = message.body.first?.asString else {
        throw BusError(.unexpectedReply, "the bus answered GetNameOwner with '\(message.signature)'")
      }
      return try BusName(text)
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  /// The user whose process owns `name`, as the bus vouches for it.
  public nonisolated(nonsending) func userID(of name: BusName) async throws(BusError) -> UInt32 {
    try await number("GetConnectionUnixUser", name)
  }

  /// The process that owns `name`, as the bus vouches for it; it may have ended by now.
  public nonisolated(nonsending) func processID(of name: BusName) async throws(BusError) -> Int32 {
    Int32(truncatingIfNeeded: try await number("GetConnectionUnixProcessID", name))
  }

  private nonisolated(nonsending) func number(_ member: MemberName, _ name: BusName) async throws(BusError) -> UInt32 {
    let message = try await callBus(member, [.string(name.text)])
    guard let number = message.body.first?.asUInt32 else {
      throw BusError(.unexpectedReply, "the bus answered \(member) with '\(message.signature)'")
    }
    return number
  }

  private nonisolated func forget(_ name: BusName) {
    let core = core
    core.executor.perform { core.wantedNames.removeAll { $0.name == name } }
  }

  private nonisolated(nonsending) func callBus(
    _ member: MemberName, _ body: [Value]
  ) async throws(BusError) -> Message {
    try await call(MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", member, body))
  }
}

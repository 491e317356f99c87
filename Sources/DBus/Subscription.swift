internal import Synchronization

/// Lets signals come to an inbox until it is released.
public final class Subscription: Sendable {
  private let number: UInt64
  private let core: ConnectionCore

  init(_ rule: MatchRule, _ inbox: Inbox, _ core: ConnectionCore) {
    let number = Handles.next()
    self.number = number
    self.core = core
    core.executor.perform { core.add(SubscriptionEntry(number: number, rule: rule, inbox: inbox)) }
  }

  deinit { core.executor.perform { [number, core] in core.removeSubscription(number) } }
}

/// Exports an interface until it is released.
public final class Export: Sendable {
  private let number: UInt64
  private let core: ConnectionCore

  init(_ interface: ExportedInterface, at path: ObjectPath, _ core: ConnectionCore) {
    let number = Handles.next()
    self.number = number
    self.core = core
    core.executor.perform { core.export(interface, at: path, number: number) }
  }

  deinit { core.executor.perform { [number, core] in core.unexport(number) } }
}

/// Numbers for what is released by number.
private enum Handles {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

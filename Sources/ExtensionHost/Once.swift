internal import Synchronization

/// A closure that is called once, whoever calls it first.
final class Once<Value: Sendable>: Sendable {
  private let body: Mutex<(@Sendable (Value) -> Void)?>

  init(_ body: @escaping @Sendable (Value) -> Void) { self.body = Mutex(body) }

  var wasCalled: Bool { body.withLock { $0 == nil } }

  /// - Returns: whether this was the first call.
  @discardableResult
  func call(_ value: Value) -> Bool {
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    body?(value)
    return body != nil
  }
}

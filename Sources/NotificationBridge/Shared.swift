/// A value that is large and does not change, held once however many tables it is in: tables grow by copying.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

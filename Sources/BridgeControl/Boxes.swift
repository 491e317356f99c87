internal import NotificationBridge
internal import Synchronization

/// The number of a waiter, for a closure that was made before it was given.
final class WaiterNumber: Sendable {
  private let number = Atomic<UInt64>(0)

  var value: UInt64 { number.load(ordering: .relaxed) }
  func set(_ value: UInt64) { number.store(value, ordering: .relaxed) }
}

/// Collects how several processes want a notification presented.
final class Opinions: Sendable {
  private struct State: Sendable {
    var missing: Int
    var options: PresentationOptions?
  }

  private let state: Mutex<State>
  private let answer: @Sendable (PresentationOptions?) -> Void

  init(_ count: Int, _ answer: @escaping @Sendable (PresentationOptions?) -> Void) {
    state = Mutex(State(missing: count))
    self.answer = answer
  }

  /// - Parameter options: nil: no opinion.
  func take(_ options: PresentationOptions?) {
    let result = state.withLock { state -> PresentationOptions?? in
      if let options { state.options = state.options.map { $0.intersection(options) } ?? options }
      state.missing -= 1
      return state.missing == 0 ? .some(state.options) : nil
    }
    if let result { answer(result) }
  }
}

/// Counts how many of several processes took something.
final class Takers: Sendable {
  private let state: Mutex<(missing: Int, count: Int)>
  private let answer: @Sendable (Int) -> Void

  init(_ count: Int, _ answer: @escaping @Sendable (Int) -> Void) {
    state = Mutex((count, 0))
    self.answer = answer
  }

  func take(_ hasTaken: Bool) {
    let result = state.withLock { state -> Int? in
      if hasTaken { state.count += 1 }
      state.missing -= 1
      return state.missing == 0 ? state.count : nil
    }
    if let result { answer(result) }
  }
}

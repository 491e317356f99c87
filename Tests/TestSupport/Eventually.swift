/// What did not come true in time.
public struct DidNotHappen: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Asks for `condition` every few milliseconds until it holds.
/// - Parameter what: what is waited for, for the failure's text.
/// - Throws: ``DidNotHappen`` when it does not hold in time; whatever `condition` throws.
public func eventually(
  within limit: Duration, _ what: String, _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while try await !condition() {
    if clock.now > deadline { throw DidNotHappen("not within \(limit): \(what)") }
    try await clock.sleep(for: .milliseconds(3))
  }
}

/// So many at once, and so many a second from then on.
struct Allowance: Sendable {
  private let most, perSecond: Double
  private var left: Double
  private var time = ContinuousClock.now

  init(most: Double, perSecond: Double) {
    self.most = most
    self.perSecond = perSecond
    left = most
  }

  /// Takes `count` of what is left, if there is that much.
  mutating func take(_ count: Double = 1) -> Bool {
    let now = ContinuousClock.now
    left = min(most, left + (now - time) / .seconds(1) * perSecond)
    time = now
    guard left >= count else { return false }
    left -= count
    return true
  }
}

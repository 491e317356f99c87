import Testing

@testable import DBus

@Suite("Time limits of calls")
struct DeadlinesTests {
  @Test("Calls come due in the order of their limits, whatever the order they were added in")
  func order() {
    var deadlines = Deadlines()
    for (serial, time) in [(1, 50), (2, 10), (3, 30), (4, 10), (5, 60)] {
      deadlines.add(UInt32(serial), at: UInt64(time))
    }
    #expect(deadlines.next == 10)
    #expect(deadlines.takeDue(at: 9) == nil)
    var due: [UInt32] = []
    while let serial = deadlines.takeDue(at: 50) { due.append(serial) }
    #expect(due == [2, 4, 3, 1])
    #expect(deadlines.next == 60)
    deadlines.add(6, at: 5)
    #expect(deadlines.next == 5)
    #expect(deadlines.takeDue(at: 5) == 6)
  }

  @Test("Answered calls are forgotten, those in flight are not")
  func tidying() {
    var deadlines = Deadlines()
    for serial in 0..<UInt32(10_000) {
      deadlines.tidy(inFlight: 1) { $0 == 7 || $0 == serial }
      deadlines.add(serial, at: UInt64(1000 + serial))
    }
    deadlines.tidy(inFlight: 0) { $0 == 7 }
    var left: [UInt32] = []
    while let serial = deadlines.takeDue(at: .max) { left.append(serial) }
    #expect(left.contains(7))
    #expect(left.count <= 66)
  }

  @Test("Durations of any size make a limit or none")
  func durations() {
    #expect(Deadlines.time(after: .seconds(Int64.max)) == nil)
    for duration in [Duration.seconds(-5), .zero, .nanoseconds(1), .seconds(1_000_000)] {
      #expect(Deadlines.time(after: duration) != nil)
    }
  }
}

// post-library sequential|pipelined COUNT: posts by the library's public interface; prints the seconds that it took.
import UserNotifications

func request(_ number: Int) -> UNNotificationRequest {
  let content = UNMutableNotificationContent()
  content.title = "Notification \(number)"
  content.body = "with a body"
  return UNNotificationRequest(identifier: "n\(number)", content: content, trigger: nil)
}

/// Posts and answers the seconds that it took. (Not at top level, where `add` would be the form without an answer.)
func post(_ count: Int, oneByOne: Bool) async throws -> Double {
  let center = UNUserNotificationCenter.current()
  // Connecting is not what is measured: the others connect before they start the clock.
  _ = await center.notificationSettings()
  let clock = ContinuousClock()
  let started = clock.now
  if oneByOne {
    for number in 0..<count { try await center.add(request(number)) }
  } else {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        let request = request(number)
        group.addTask { try await center.add(request) }
      }
      try await group.waitForAll()
    }
  }
  let elapsed = started.duration(to: clock.now).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { exit(2) }
print(try await post(count, oneByOne: arguments[1] == "sequential"))

import Foundation
import UserNotifications

/// Reminds before an event of a calendar: a date, a place, a deep link.
actor EventCountdown {
  struct Event: Sendable {
    var id: String
    var title: String
    var start: Date
    var url: URL
    var place: CLLocationCoordinate2D?
  }

  enum Outcome: Equatable {
    case scheduled(Date?)
    case past
    case nothingToSay
    case failed(String)
  }

  private let center = UNUserNotificationCenter.current()

  private func content(for event: Event) -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = event.title
    content.userInfo = ["url": event.url.absoluteString, "start": event.start]
    content.targetContentIdentifier = event.url.absoluteString
    content.sound = UNNotificationSound(named: UNNotificationSoundName("chime.caf"))
    content.relevanceScore = 0.9
    return content
  }

  func remind(of event: Event, minutesBefore minutes: Int = 0) async -> Outcome {
    let date = event.start.addingTimeInterval(TimeInterval(-60 * minutes))
    let components = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
    do {
      try await center.add(
        UNNotificationRequest(identifier: event.id, content: content(for: event), trigger: trigger))
      return .scheduled(trigger.nextTriggerDate())
    } catch UNError.notificationInvalidNoDate {
      return .past
    } catch UNError.notificationInvalidNoContent {
      return .nothingToSay
    } catch {
      return .failed(error.localizedDescription)
    }
  }

  /// When the user arrives there; where that is not known, when it starts.
  func remindOnArrival(at event: Event) async -> Outcome {
    guard let place = event.place else { return await remind(of: event) }
    let region = CLCircularRegion(center: place, radius: 150, identifier: event.id)
    region.notifyOnEntry = true
    region.notifyOnExit = false
    let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
    do {
      try await center.add(
        UNNotificationRequest(identifier: event.id, content: content(for: event), trigger: trigger))
      return .scheduled(nil)
    } catch {
      return await remind(of: event)
    }
  }

  func cancelAll(startingWith prefix: String) async -> Int {
    let identifiers = await center.pendingNotificationRequests().map(\.identifier).filter { $0.hasPrefix(prefix) }
    center.removePendingNotificationRequests(withIdentifiers: identifiers)
    return identifiers.count
  }
}

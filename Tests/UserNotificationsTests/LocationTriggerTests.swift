import Foundation
import TestSupport
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(1))) struct LocationTriggerTests {
  static func region() -> CLCircularRegion {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.5163, longitude: 13.3777), radius: 200, identifier: "gate")
    region.notifyOnExit = false
    return region
  }

  static func trigger() -> UNLocationNotificationTrigger {
    UNLocationNotificationTrigger(region: region(), repeats: true)
  }

  @Test func theTriggerKeepsACopyOfItsRegion() throws {
    let region = Self.region()
    let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
    region.notifyOnEntry = false
    #expect(trigger.repeats && trigger.region.identifier == "gate")
    #expect(trigger.region.notifyOnEntry && !trigger.region.notifyOnExit)
    trigger.region.notifyOnEntry = false
    #expect(trigger.region.notifyOnEntry, "what it hands out is a copy, too")
    let circle = try #require(trigger.region as? CLCircularRegion)
    #expect(circle.radius == 200 && circle.center.latitude == 52.5163 && circle.center.longitude == 13.3777)
    #expect(trigger == Self.trigger())
    #expect(trigger != UNLocationNotificationTrigger(region: Self.region(), repeats: false))
    #expect(trigger != UNLocationNotificationTrigger(region: region, repeats: true))
  }

  @Test func aCircleContainsWhatIsNear() {
    let region = Self.region()
    #expect(region.contains(region.center))
    // A thousandth of a degree of latitude is 111 m.
    #expect(region.contains(CLLocationCoordinate2DMake(52.5173, 13.3777)))
    #expect(!region.contains(CLLocationCoordinate2DMake(52.5183, 13.3777)))
    #expect(!region.contains(CLLocationCoordinate2D()))
    let pole = CLCircularRegion(center: CLLocationCoordinate2DMake(90, 0), radius: 1000, identifier: "pole")
    #expect(pole.contains(CLLocationCoordinate2DMake(89.995, 180)))
    #expect(CLLocationCoordinate2DIsValid(region.center))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(91, 0)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(0, .nan)))
  }

  @Test func regionAndTriggerSurviveAnArchive() throws {
    let request = UNNotificationRequest(identifier: "a", content: Samples.fullContent(), trigger: Self.trigger())
    let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data))
    #expect(back == request)
    let trigger = try #require(back.trigger as? UNLocationNotificationTrigger)
    let circle = try #require(trigger.region as? CLCircularRegion)
    #expect(circle == Self.region() && circle.radius == 200 && circle.center.longitude == 13.3777)
  }

  @Test func missingKeysStandForDefaults() throws {
    #expect(UNLocationNotificationTrigger(coder: EmptyCoder()) == nil)
    let region = try #require(CLCircularRegion(coder: EmptyCoder()))
    #expect(region.identifier == "" && region.notifyOnEntry && region.notifyOnExit && region.radius == 0)
  }

  @Test func addingARequestForARegionFailsAndSaysWhy() async throws {
    let stage = try await CenterStage()
    await #expect {
      try await stage.center.add(CenterStage.request("a", trigger: Self.trigger()))
    } throws: { error in
      (error as? UNError)?.code == .notificationInvalidNoDate
        && error.localizedDescription.contains("does not tell where it is")
        && error.localizedDescription.contains("'gate'")
    }
    let notes = Notes<UNError.Code?>()
    stage.center.add(CenterStage.request("b", trigger: Self.trigger())) { notes.add(($0 as? UNError)?.code) }
    try await eventually(within: .seconds(10), "it is told") { notes.all == [.notificationInvalidNoDate] }
    #expect(await stage.center.pendingNotificationRequests().isEmpty && stage.daemon.posted.isEmpty)
  }
}

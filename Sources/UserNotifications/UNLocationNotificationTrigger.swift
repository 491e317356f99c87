/// Fires when the device enters or leaves a region.
///
/// A desktop does not tell where it is: adding a request with such a trigger fails with
/// ``UNError/notificationInvalidNoDate``, so that the program can choose a time instead. The trigger itself can be made,
/// copied and archived as on Apple's systems.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNLocationNotificationTrigger.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// - Parameters:
  ///   - region: is copied; its identifier is unique among the application's regions.
  ///   - repeats: whether it fires each time.
  public convenience init(region: CLRegion, repeats: Bool) {
    self.init(Fields(repeats: repeats, region: region.copy() as? CLRegion))
  }

  /// A copy of what was given.
  open var region: CLRegion { fields.region?.copy() as? CLRegion ?? CLRegion(.init(identifier: "")) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNLocationNotificationTrigger else { return false }
    return super.isEqual(other) && region == other.region
  }

  open override var hash: Int { super.hash ^ region.hash }

  open override var description: String { description(of: ["repeats": repeats, "region": region]) }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(fields.region, forKey: "region")
  }

  /// Reads an archive; nil without a region.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    if fields.region == nil { return nil }
  }
}

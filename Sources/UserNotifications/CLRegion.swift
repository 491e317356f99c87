/// An area that a ``UNLocationNotificationTrigger`` watches; programs make a ``CLCircularRegion``.
///
/// Not to be changed by two threads at once; a trigger keeps a copy.
///
/// Source: Apple, CLRegion.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
  /// The state, of the subclass too.
  struct Fields {
    var identifier: String
    var notifyOnEntry = true
    var notifyOnExit = true
    var center = CLLocationCoordinate2D()
    var radius: CLLocationDistance = 0
  }

  final private(set) var fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// The application's name for the region; unique among its regions.
  open var identifier: String { fields.identifier }

  /// Whether entering it counts; true by default.
  open var notifyOnEntry: Bool {
    get { fields.notifyOnEntry }
    set { fields.notifyOnEntry = newValue }
  }

  /// Whether leaving it counts; true by default.
  open var notifyOnExit: Bool {
    get { fields.notifyOnExit }
    set { fields.notifyOnExit = newValue }
  }

  /// A region of its own with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { type(of: self).init(coder: Seed(fields)) ?? CLRegion(fields) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return type(of: self) == type(of: other) && identifier == other.identifier
      && notifyOnEntry == other.notifyOnEntry && notifyOnExit == other.notifyOnExit
  }

  open override var hash: Int { identifier.hashValue }

  open override var description: String {
    description(of: ["identifier": identifier, "notifyOnEntry": notifyOnEntry, "notifyOnExit": notifyOnExit])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(NSNumber(value: notifyOnEntry), forKey: "notifyOnEntry")
    coder.encode(NSNumber(value: notifyOnExit), forKey: "notifyOnExit")
  }

  /// Reads an archive; what is missing has its default.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        identifier: coder.text("identifier") ?? "", notifyOnEntry: coder.number("notifyOnEntry")?.boolValue ?? true,
        notifyOnExit: coder.number("notifyOnExit")?.boolValue ?? true,
        center: CLLocationCoordinate2D(
          latitude: coder.number("latitude")?.doubleValue ?? 0, longitude: coder.number("longitude")?.doubleValue ?? 0),
        radius: coder.number("radius")?.doubleValue ?? 0)
    super.init()
  }
}

/// A circle around a place.
///
/// Source: Apple, CLCircularRegion.
open class CLCircularRegion: CLRegion {
  /// - Parameters:
  ///   - center: its middle.
  ///   - radius: in metres.
  ///   - identifier: the application's name for it.
  public convenience init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.init(Fields(identifier: identifier, center: center, radius: radius))
  }

  /// Its middle.
  open var center: CLLocationCoordinate2D { fields.center }

  /// In metres.
  open var radius: CLLocationDistance { fields.radius }

  /// Whether a place lies in the circle, measured along the globe, taken as a sphere.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let (from, to) = (center.latitude * .pi / 180, coordinate.latitude * .pi / 180)
    let turn = (coordinate.longitude - center.longitude) * .pi / 180
    let (north, east) = (sin((to - from) / 2), sin(turn / 2))
    let chord = north * north + cos(from) * cos(to) * east * east
    return 2 * 6_371_009 * asin(min(1, chord.squareRoot())) <= radius
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLCircularRegion else { return false }
    return super.isEqual(other) && radius == other.radius && center.latitude == other.center.latitude
      && center.longitude == other.center.longitude
  }

  open override var hash: Int { super.hash }

  open override var description: String {
    description(of: ["identifier": identifier, "center": center, "radius": radius])
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(NSNumber(value: center.latitude), forKey: "latitude")
    coder.encode(NSNumber(value: center.longitude), forKey: "longitude")
    coder.encode(NSNumber(value: radius), forKey: "radius")
  }
}

// What location triggers are made of, by Core Location's names. Linux has no such framework; nothing here asks where the
// machine is.

/// Degrees of latitude or longitude.
///
/// Source: Apple, CLLocationDegrees.
public typealias CLLocationDegrees = Double

/// Metres.
///
/// Source: Apple, CLLocationDistance.
public typealias CLLocationDistance = Double

/// A place on the globe (WGS 84).
///
/// Source: Apple, CLLocationCoordinate2D.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator, -90…90.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich, -180…180.
  public var longitude: CLLocationDegrees

  /// Latitude and longitude 0.
  public init() { self.init(latitude: 0, longitude: 0) }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A place from its two numbers.
///
/// Source: Apple, CLLocationCoordinate2DMake.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether both numbers are in their ranges.
///
/// Source: Apple, CLLocationCoordinate2DIsValid.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

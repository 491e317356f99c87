// Names of Foundation that programs with notifications use and that Foundation on Linux lacks.

extension URL {
  /// True: on Linux a file that can be reached needs no such permission.
  public func startAccessingSecurityScopedResource() -> Bool { true }

  /// Does nothing; see ``startAccessingSecurityScopedResource()``.
  public func stopAccessingSecurityScopedResource() {}
}

extension CGRect {
  /// The rectangle as a dictionary with the keys `X`, `Y`, `Width` and `Height`, as an attachment's clipping rectangle
  /// is given.
  public var dictionaryRepresentation: NSDictionary {
    NSDictionary(dictionary: [
      "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(size.width), "Height": Double(size.height),
    ])
  }
}

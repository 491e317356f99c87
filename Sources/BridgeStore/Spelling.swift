@_spi(_Unicode) import Swift

extension String {
  /// One spelling for all texts that `==` takes for the same; SQLite compares bytes.
  ///
  /// The engine's keys are compared by Swift: "é" as one scalar and "é" as two are one name to it, and must be one to
  /// the store. Normalization form C, which is what Swift compares by; it is not public in the standard library yet.
  var oneSpelling: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: _nfc)
    return String(scalars)
  }
}

extension PropertyValue {
  /// How deep each value of an application's own may be nested: the bus carries 64 levels, of which each of these takes up
  /// to three, within everything else of a message.
  public static let depthLimit = 15

  /// Whether it is nested deeper than that, and would not come back.
  public var isTooDeep: Bool { cut(below: Self.depthLimit) != nil }

  var isContainer: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }

  /// The value with null for what is nested over `depth` levels deep; nil if nothing is.
  func cut(below depth: Int) -> PropertyValue? {
    switch self {
    case .array(let elements):
      if depth == 0 { return .null }
      let cut = elements.map { $0.cut(below: depth - 1) }
      if cut.allSatisfy({ $0 == nil }) { return nil }
      return .array(zip(cut, elements).map { $0 ?? $1 })
    case .dictionary(let entries):
      if depth == 0 { return .null }
      let cut = entries.compactMapValues { $0.cut(below: depth - 1) }
      return cut.isEmpty ? nil : .dictionary(entries.merging(cut) { $1 })
    default: return nil
    }
  }
}

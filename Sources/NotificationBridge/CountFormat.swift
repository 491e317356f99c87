/// The formats that Apple's categories have for a count of notifications and the names of whom they are from.
///
/// Source: Apple, UNNotificationCategory, categorySummaryFormat and hiddenPreviewsBodyPlaceholder.
enum CountFormat {
  /// Fills in a format without ever treating it as one of `printf`'s: what is not known stays as it is.
  /// - Parameter names: for `%@`; nil: that stays too.
  static func fill(_ format: String, count: Int, _ names: String? = nil) -> String {
    let number = String(count)
    var parts = [
      ("%1$u", number), ("%1$d", number), ("%lu", number), ("%ld", number), ("%u", number), ("%d", number),
      ("%i", number), ("%%", "%"),
    ]
    if let names { parts += [("%2$@", names), ("%@", names)] }
    var result = ""
    var rest = format[...]
    while !rest.isEmpty {
      if let (mark, value) = parts.first(where: { rest.hasPrefix($0.0) }) {
        result += value
        rest = rest.dropFirst(mark.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}

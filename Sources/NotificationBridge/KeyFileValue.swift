/// The values of key files.
///
/// Source: Desktop Entry Specification 1.5, "Possible value types".
public enum KeyFileValue {
  /// A value without its escapes (`\s`, `\n`, `\t`, `\r`, `\\`, in lists `\;`), cut at semicolons if it is a list.
  /// - Returns: nil if a backslash in it begins no escape.
  public static func parts(_ value: String, isList: Bool) -> [String]? {
    var parts: [String] = []
    var part = ""
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == ";", isList {
        parts.append(part)
        part = ""
      } else if scalar == "\\" {
        switch scalars.next() {
        case "s"?: part += " "
        case "n"?: part += "\n"
        case "t"?: part += "\t"
        case "r"?: part += "\r"
        case "\\"?: part += "\\"
        case ";"? where isList: part += ";"
        default: return nil
        }
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    if !isList || !part.isEmpty { parts.append(part) }
    return parts
  }
}

internal import Glibc

/// Text in the locale's character set, as GLib takes `--app-name` (and nothing else) for.
enum NotifySendCharset {
  /// The text as UTF-8; nil where it is not text in the process's charset: any byte above 127 in the C locale.
  ///
  /// `CHARSET` in the environment overrides the locale's, as for every GLib program.
  static func utf8(_ bytes: [UInt8], environment: [String: String]) -> [UInt8]? {
    // Every charset that a locale can have here holds ASCII.
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
    let charset = environment["CHARSET"].flatMap { $0.isEmpty ? nil : $0 } ?? localeCharset()
    if charset.contains("UTF-8") { return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes }
    return convert(bytes, from: charset)
  }

  private static func localeCharset() -> String {
    unsafe setlocale(LC_CTYPE, "")
    defer { unsafe setlocale(LC_CTYPE, "C") }
    return unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) } ?? ""
  }

  private static func convert(_ bytes: [UInt8], from charset: String) -> [UInt8]? {
    guard let converter = unsafe iconv_open("UTF-8", charset), unsafe converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { unsafe iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No charset's character takes more than four bytes of UTF-8 for one of its own.
    var output = [CChar](repeating: 0, count: bytes.count * 4)
    let written: Int? = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (left, room) = (input.count, output.count)
        let failed = unsafe iconv(converter, &from, &left, &to, &room) == -1
        return failed || left > 0 ? nil : output.count - room
      }
    }
    return written.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
  }
}

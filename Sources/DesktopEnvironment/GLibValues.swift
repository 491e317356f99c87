import CGLib

/// What a GLib function reported: the words and numbers of a GError, which is freed when this is made.
public struct GLibError: Error, Sendable, CustomStringConvertible {
  /// The name of the error's domain, `gdk-pixbuf-error-quark` for example.
  public let domain: String
  /// The number of the error in its domain.
  public let code: Int
  /// GLib's sentence, in the language of the process's locale.
  public let message: String

  public var description: String { message }

  /// Runs `body` with a place for a GError, which is freed on every path.
  /// - Returns: what `body` returned, unless it left an error or returned nil. Some functions return a part of what was
  ///   asked for beside an error: with an owning `Value` it is released then.
  static func catching<Value: ~Copyable>(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value?
  ) throws(GLibError) -> Value {
    var error: UnsafeMutablePointer<GError>?
    let value = unsafe body(&error)
    if let reported = unsafe error {
      defer { unsafe g_error_free(reported) }
      throw unsafe GLibError(copying: reported)
    }
    guard let value else { throw GLibError(message: "no reason was given") }
    return value
  }

  /// A failure without a GError.
  init(message: String) {
    domain = ""
    code = 0
    self.message = message
  }

  private init(copying error: UnsafeMutablePointer<GError>) {
    let name = unsafe g_quark_to_string(error.pointee.domain)
    unsafe domain = name.map { unsafe String(cString: $0) } ?? ""
    unsafe code = Int(error.pointee.code)
    unsafe message = String(cString: error.pointee.message)
  }
}

extension String {
  /// The text of a C string that GLib allocated for us, which is freed; nil for NULL. Invalid UTF-8 is repaired.
  init?(adoptingFromGLib text: UnsafeMutablePointer<CChar>?) {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    unsafe self.init(cString: text)
  }
}

extension [String] {
  /// The texts of a NULL-terminated array that GLib allocated for us, which is freed; empty for NULL.
  init(adoptingFromGLib texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
    self = []
    guard let texts = unsafe texts else { return }
    defer { unsafe g_strfreev(texts) }
    var index = 0
    while let text = unsafe texts[index] {
      unsafe append(String(cString: text))
      index += 1
    }
  }
}

internal import FreedesktopNotifications

/// What a `notify-send` command line says, byte for byte: nothing in it is translated, and not all of it need be UTF-8.
struct NotifySendOptions: Sendable, Hashable {
  /// Not empty.
  var summary: [UInt8] = []
  /// With its escapes resolved; may be empty.
  var body: [UInt8] = []
  var urgency = Urgency.normal
  /// The number on the wire, in milliseconds; every value that fits is sent, negative ones too.
  var expireTime: Int32 = -1
  /// UTF-8, converted from the locale's charset; nil: `notify-send`.
  var appName: [UInt8]?
  var icon: [UInt8] = []
  /// Empty: no hint.
  var category: [UInt8] = []
  var isTransient = false
  /// As typed: TYPE:NAME:VALUE.
  var hints: [[UInt8]] = []
  /// As typed: [NAME=]TEXT.
  var actions: [[UInt8]] = []
  var printsID = false
  /// 0 replaces nothing.
  var replacesID: UInt32 = 0
  /// Whether to wait for the end of the notification; a usable action says so too.
  var waits = false
  /// Where to write the notification's number, the chosen action and its activation token; negative: nowhere.
  var idDescriptor: Int32 = -1
  var selectedActionDescriptor: Int32 = -1
  var activationTokenDescriptor: Int32 = -1
  /// What is odd but no reason to stop.
  var warnings: [String] = []

  /// What a command line asks for.
  enum Outcome: Sendable, Hashable {
    case send(NotifySendOptions)
    case help
    case version
    /// Exit status 1, with this sentence on standard error.
    case failure(String)
  }

  /// Reads a command line as notify-send does.
  /// - Parameters:
  ///   - arguments: those behind the program's name, without NUL.
  ///   - fromLocale: text in the locale's charset as UTF-8; nil where it is not text in that charset.
  static func parse(_ arguments: [[UInt8]], fromLocale: ([UInt8]) -> [UInt8]?) -> Outcome {
    withoutActuallyEscaping(fromLocale) { fromLocale in
      var parser = NotifySendParser(arguments: arguments, fromLocale: fromLocale)
      return parser.outcome()
    }
  }
}

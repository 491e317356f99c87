/// Walks over a command line by the rules of GLib's option parser, which notify-send uses.
///
/// Options may stand behind texts until `--`. A long option takes its value behind `=` or from the next argument, a
/// short one from the next argument alone (`-ulow` is `-u -l -o -w`), and one group of short options can take one
/// value. There are no abbreviations. A value may begin with a hyphen, and may be `--`.
struct NotifySendParser {
  let arguments: [[UInt8]]
  let fromLocale: ([UInt8]) -> [UInt8]?
  private var position = 0
  private var texts: [[UInt8]] = []
  private var options = NotifySendOptions()
  private var showsVersion = false

  init(arguments: [[UInt8]], fromLocale: @escaping ([UInt8]) -> [UInt8]?) {
    self.arguments = arguments
    self.fromLocale = fromLocale
  }

  /// Why the walk ended early.
  private enum Stop: Error {
    case help
    case failure(String)
  }

  mutating func outcome() -> NotifySendOptions.Outcome {
    do throws(Stop) {
      try walk()
    } catch {
      switch error {
      case .help: return .help
      case .failure(let message): return .failure(message)
      }
    }
    if showsVersion { return .version }
    // An empty summary is as none: the real program says so too.
    guard let summary = texts.first, !summary.isEmpty else { return .failure("a summary is missing") }
    if texts.count > 2 { return .failure("too many texts: a summary and a body at most") }
    options.summary = summary
    if texts.count == 2 {
      let (body, endsInBackslash) = NotifySendEscapes.resolve(texts[1])
      options.body = body
      if endsInBackslash { options.warnings.append("the backslash at the end of the body is left out") }
    }
    return .send(options)
  }

  private mutating func walk() throws(Stop) {
    var onlyTexts = false
    while position < arguments.count {
      let argument = arguments[position]
      if onlyTexts || argument.count < 2 || argument[0] != UInt8(ascii: "-") {
        texts.append(argument)
      } else if argument[1] != UInt8(ascii: "-") {
        try takeGroup(argument)
      } else if argument.count == 2 {
        onlyTexts = true
      } else {
        try takeLong(argument)
      }
      position += 1
    }
  }

  /// `--name`, `--name=value` or `--name value`.
  private mutating func takeLong(_ argument: [UInt8]) throws(Stop) {
    let text = argument.dropFirst(2)
    if text.elementsEqual("help".utf8) || text.elementsEqual("help-all".utf8) { throw .help }
    let equals = text.firstIndex(of: UInt8(ascii: "="))
    let name = text[..<(equals ?? text.endIndex)]
    let attached = equals.map { Array(text[($0 + 1)...]) }
    if name.isEmpty, let attached {
      // The parser keeps texts under the option with the empty name, which can be named as well.
      texts.append(attached)
      return
    }
    guard let option = Option.allCases.first(where: { name.elementsEqual($0.longName.utf8) }) else {
      throw .failure("unknown option \(shown(argument))")
    }
    // A flag may have a value, which does not count.
    var value: [UInt8] = []
    if option.takesValue {
      if let attached { value = attached } else { value = try nextArgument(for: "--\(option.longName)") }
    }
    try set(option, value, as: "--\(option.longName)")
  }

  /// `-abc`: single letters; at most one takes a value, which is the next argument.
  private mutating func takeGroup(_ argument: [UInt8]) throws(Stop) {
    var hasTaken = false
    for letter in argument.dropFirst() {
      if letter == UInt8(ascii: "?") { throw .help }
      guard let option = Option.allCases.first(where: { $0.letter == letter }) else {
        throw .failure("unknown option \(shown(argument))")
      }
      let name = "-\(Character(UnicodeScalar(letter)))"
      var value: [UInt8] = []
      if option.takesValue {
        if hasTaken { throw .failure("option \(name) has no value: \(shown(argument)) can take only one") }
        hasTaken = true
        value = try nextArgument(for: name)
      }
      try set(option, value, as: name)
    }
  }

  private mutating func nextArgument(for name: String) throws(Stop) -> [UInt8] {
    guard position + 1 < arguments.count else { throw .failure("option \(name) needs a value") }
    position += 1
    return arguments[position]
  }

  private mutating func set(_ option: Option, _ value: [UInt8], as name: String) throws(Stop) {
    switch option {
    case .urgency:
      guard let urgency = NotifySendWords.urgency(value) else {
        throw .failure("urgency '\(shown(value))' is none of low, normal, critical")
      }
      options.urgency = urgency
    case .expireTime: options.expireTime = try number(value, for: name)
    case .appName:
      guard let text = fromLocale(value) else {
        throw .failure("the value of \(name) is not text in the locale's character set")
      }
      options.appName = text
    case .icon: options.icon = value
    case .category: options.category = value
    case .transient: options.isTransient = true
    case .hint: options.hints.append(value)
    case .printID: options.printsID = true
    case .replaceID:
      let number = try number(value, for: name)
      if number < 0 { options.warnings.append("the number \(number) to replace is negative and left out") }
      options.replacesID = UInt32(max(0, number))
    case .wait: options.waits = true
    case .action: options.actions.append(value)
    case .idDescriptor: options.idDescriptor = try number(value, for: name)
    case .selectedActionDescriptor: options.selectedActionDescriptor = try number(value, for: name)
    case .activationTokenDescriptor: options.activationTokenDescriptor = try number(value, for: name)
    case .version: showsVersion = true
    }
  }

  private func number(_ text: [UInt8], for name: String) throws(Stop) -> Int32 {
    guard let scanned = NotifySendNumber.scan(text[...], base: 0), scanned.end == text.count else {
      throw .failure("the value '\(shown(text))' of \(name) is not a whole number")
    }
    guard !scanned.isTooLarge, let number = scanned.asInt32 else {
      throw .failure("the value \(shown(text)) of \(name) is out of range")
    }
    return number
  }

  private func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension NotifySendParser {
  /// The options of notify-send 0.8.1, and the three descriptors of 0.8.7.
  private enum Option: CaseIterable {
    case urgency, expireTime, appName, icon, category, transient, hint, printID, replaceID, wait, action, version
    case idDescriptor, selectedActionDescriptor, activationTokenDescriptor

    var longName: String {
      switch self {
      case .urgency: "urgency"
      case .expireTime: "expire-time"
      case .appName: "app-name"
      case .icon: "icon"
      case .category: "category"
      case .transient: "transient"
      case .hint: "hint"
      case .printID: "print-id"
      case .replaceID: "replace-id"
      case .wait: "wait"
      case .action: "action"
      case .version: "version"
      case .idDescriptor: "id-fd"
      case .selectedActionDescriptor: "selected-action-fd"
      case .activationTokenDescriptor: "activation-token-fd"
      }
    }

    var letter: UInt8? {
      switch self {
      case .urgency: UInt8(ascii: "u")
      case .expireTime: UInt8(ascii: "t")
      case .appName: UInt8(ascii: "a")
      case .icon: UInt8(ascii: "i")
      case .category: UInt8(ascii: "c")
      case .transient: UInt8(ascii: "e")
      case .hint: UInt8(ascii: "h")
      case .printID: UInt8(ascii: "p")
      case .replaceID: UInt8(ascii: "r")
      case .wait: UInt8(ascii: "w")
      case .action: UInt8(ascii: "A")
      case .version: UInt8(ascii: "v")
      case .idDescriptor, .selectedActionDescriptor, .activationTokenDescriptor: nil
      }
    }

    var takesValue: Bool {
      switch self {
      case .transient, .printID, .wait, .version: false
      default: true
      }
    }
  }
}

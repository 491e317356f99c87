import Testing

/// A command line for both programs, and the daemon that they meet.
struct NotifySendDifferentialCase: Sendable, CustomTestStringConvertible {
  var arguments: [String]
  var behavior = NotifySendDifferentialServer.Behavior()
  var environment: [String: String?] = [:]
  /// A shell prints the arguments, for bytes that no Swift text can hold: each is a format of `printf`.
  var isRaw = false
  /// The real program ends itself with SIGTRAP, having sent nothing; ours exits with 1, having sent nothing.
  var realCrashes = false

  init(_ arguments: String...) { self.arguments = arguments }

  var testDescription: String {
    let extra = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ?? "-") " }.joined()
    return extra + arguments.map { $0.debugDescription }.joined(separator: " ")
  }

  func with(_ change: (inout NotifySendDifferentialCase) -> Void) -> NotifySendDifferentialCase {
    var copy = self
    change(&copy)
    return copy
  }

  /// The daemon's user does this.
  func then(_ reactions: NotifySendDifferentialServer.Reaction...) -> NotifySendDifferentialCase {
    with { $0.behavior.reactions = reactions }
  }

  /// The arguments are `printf` formats.
  var raw: NotifySendDifferentialCase { with { $0.isRaw = true } }
  var crashing: NotifySendDifferentialCase { with { $0.realCrashes = true } }
}

extension NotifySendDifferentialCase {
  private typealias C = NotifySendDifferentialCase

  /// Cases of one kind.
  struct Group: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cases: [NotifySendDifferentialCase]

    fileprivate init(_ name: String, _ cases: [NotifySendDifferentialCase]) {
      testDescription = name
      self.cases = cases
    }
  }

  static let all = [
    Group("texts", texts), Group("options", options), Group("bad options", badOptions),
    Group("urgency and time", urgencyAndTime), Group("numbers", numbers), Group("identity", identity),
    Group("hints", hints), Group("bad hints", badHints), Group("variant hints", variants), Group("actions", actions),
    Group("waiting", waiting), Group("daemons", daemons), Group("bytes", bytes), Group("locales", locales),
  ]

  private static let texts = [
    C("a"), C("a", "b"), C("a", "b", "c"), C(), C(""), C("", "b"), C("a", ""), C("a\nb", "c\td"), C("a\\nb", "c\\nd"),
    C("a", "x\\ty\\\\z\\101\\e\\\"\\'"), C("a", "x\\"), C("a", "\\0b"), C("a", "\\400b"), C("a", "\\08"),
    C("a", "\\303\\251\\1234"), C("a", "\\b\\f\\r\\v\\x41\\u00e9"), C("<b>x</b> & y", "<b>x</b> &amp; \"y\" < z"),
    C("%s%n", "%d%%"), C("😀 é 漢字", "e\u{301} \u{202e}x \u{200b}"), C("a\u{fffe}\u{10ffff}", "\u{1}\u{7f}"), C(" "),
    C("-", "-"), C("--", "-p"), C("--", "--", "a"), C("a", "--", "--"), C("--", "a", "b", "c"),
    C(String(repeating: "long ", count: 4000), String(repeating: "é\\n", count: 20000)),
  ]

  private static let options = [
    C("a", "-u", "low", "b"), C("-pe", "a"), C("-peu", "low", "a"), C("-upe", "low", "a"), C("-pp", "a"),
    C("--print-id=yes", "a"), C("--transient=", "a"), C("--=x"), C("-", "-p"), C("-a", "--", "x"), C("-i", "-p", "x"),
    C("-u", "low", "-u", "critical", "a"), C("-i", "x", "-i", "", "a"), C("-c", "x", "-c", "", "a"),
    C("-t", "5", "-t", "7", "a"), C("-a", "q", "-a", "z", "a"), C("-v"), C("--version=3", "a", "b", "c"),
  ]

  private static let badOptions = [
    C("--bogus", "a"), C("-z", "a"), C("-é", "a"), C("--urg=low", "a"), C("--hintx", "a"), C("-p-", "a"),
    C("-p=yes", "a"), C("--help=x"), C("--help-x"), C("-z?"), C("--bogus", "--help"), C("-h", "--help"), C("-h"),
    C("--icon"), C("-ut", "low", "5", "a"), C("-hstring:k:v", "a"), C("-v", "--bogus"), C("---", "a"), C("--=", "a"),
    C("-n", "x", "a"),
  ]

  private static let urgencyAndTime = [
    C("-u", "low", "a"), C("-u", "NORMAL", "a"), C("--urgency=critical", "a"), C("-u", "bad", "a"),
    C("--urgency=", "a"), C("--urgency==low", "a"), C("-ulow", "a"), C("-u=low", "a"), C("-u", "--", "a"),
    C("-t", "500", "a"), C("-t", "0", "a"), C("-t", "-5", "a"), C("-t", "-2147483648", "a"), C("--expire-time=1", "a"),
    C("-t=5", "a"), C("-e", "a"),
  ]

  private static let numbers =
    ["x", "", "5x", "5 ", " +5", "\u{b}5", "0x1F", "0x", "0b1", "017777777777", "08", "--5", "2147483648", "1e3", "٣"]
    .map { C("-t", $0, "a") }

  private static let identity = [
    C("-p", "a"), C("-r", "3", "a"), C("-p", "-r", "12", "a"), C("-r", "0", "-p", "a"), C("-r", "-3", "-p", "a"),
    C("-r", "x", "a"), C("-r", "4294967295", "a"), C("-p", "a").with { $0.behavior.number = 4_294_967_295 },
    C("-p", "a").with { $0.behavior.number = 0 }, C("-a", "My App", "a"), C("-a", "", "a"), C("-a", "é", "a"),
    C("-c", "im.received", "a"), C("-c", "x,y", "a"), C("-c", "é", "a"), C("-i", "dialog-error", "a"),
    C("-i", "./x.png", "a"), C("-i", "/etc/passwd", "a"), C("-i", "file:///etc/passwd", "a"), C("-i", "~/é", "a"),
  ]

  private static let hints =
    [
      "int:k:5", "INT:k:5x", "int:k:0x10", "int:k:4294967295", "int:k:2147483648", "int:k:99999999999999999999",
      "double:k:1.5", "double:k:1e3x", "double:k:0x10", "double:k:1e999", "double:k:1,5", "double:k:1e-400", "byte:k:5",
      "byte:k:", "byte:k:x", "byte:k: 7", "byte:k:4294967301", "byte:k:-4294967295", "byte:k:0x11", "boolean:k:TRUE",
      "boolean:k:0", "boolean:k:2", "boolean:k:yes", "boolean:k: 1", "boolean:k:", "string:k:v", "string:k:",
      "string::", "string:k:a:b", "String:é:ü\\n", "string: k:\t", "byte:urgency:2", "string:urgency:x",
      "int:sender-pid:4", "string:sender-pid:x", "string:category:y", "string:desktop-entry:foo",
      "string:image-path:/x", "int:value:50", "string:x-canonical-private-synchronous:v",
    ].map { C("-h", $0, "a") } + [
      C("-h", "string:k:1", "-h", "int:k:2", "a"), C("-c", "cat", "-h", "string:category:", "a"),
      C("-e", "-h", "int:transient:0", "a"), C("-h", "boolean:transient:false", "-e", "a"),
      C("-h", "string:é:1", "-h", "string:e\u{301}:2", "a"),
    ]

  private static let badHints =
    [
      "", "string", "string:k", ":k:v", "bool:k:true", "int:k:-5", "int:k:x", "int:k:", "int:k: 5", "double:k:.5",
      "double:k:inf", "byte:k:256", "byte:k:-1", "byte:k:99999999999999999999", "variant:k:", "variant:k:x",
    ].map { C("-p", "-h", $0, "a") } + [
      C("-h", "int:k:x", "-h", "string:j:2", "-p", "-r", "4", "a"), C("-h", "string::v", "a").crashing,
      C("-h", "int::5", "a").crashing, C("-h", "variant::5", "a").crashing,
    ]

  private static let variants =
    [
      "5", " -5 ", "true", "1e3", "010", "'a\\n\\u00e9'", "\"it's\"", "b'a\\377\\0z'", "byte 65", "int16 -3", "@q 7",
      "uint32 5", "int64 -1", "uint64 18446744073709551615", "double 5", "objectpath '/a'", "signature 'as'", "<5>",
      "<<'x'>>", "[1, 2.5]", "[1, int64 2]", "[byte 1, 2]", "@as []", "@a{sv} {}", "[[], ['x']]", "(1, 'x')", "(1,)",
      "{'a': <1>, 'b': <@as []>}", "{'a':1,'a':2}", "[{'a', 1}]", "{1: 2.5}", "@a(iiibiiay) []",
      "(<5>, [<'a'>, <(true, @ao ['/x'])>])", "[]", "()", "(1)", "[1,'x']", "{'a':1,'b':2.5}", "4294967295", "@y 300",
      "nothing", "just 5", "08", "'a", "é", "5 6", "@ms nothing", "inf",
    ].map { C("-h", "variant:k:\($0)", "a") } + [C("-h", "variant:k:'\\ud800'", "a").crashing]

  private static let actions = [
    C("-A", "Yes", "-A", "No", "a").then(.press("1")), C("-A", "yes=Yes", "-A", "no=No", "a").then(.press("no")),
    C("-A", "yes=Yes", "-A", "no=No", "-p", "a").then(.press("yes")), C("-A", "yes=Yes", "a").then(.close(2)),
    C("-A", "yes=Yes", "a").then(.close(1)), C("-A", "yes=Yes", "a").then(.press("bogus"), .close(2)),
    C("-A", "yes=Yes", "a").then(.press("default"), .close(2)), C("-A", "default=Open", "a").then(.press("default")),
    C("-A", " yes = Yes please ", "a").then(.press("yes")), C("-A", "a=b=c", "a").then(.press("a")),
    C("-A", "x=1", "-A", "x=2", "a").then(.press("x")), C("-A", "1=One", "-A", "Two", "a").then(.press("1")),
    C("-A", "é=ü", "-A", "漢", "a").then(.press("é")), C("-A", "-p", "-w", "a").then(.press("0")),
    C("-A", "x", "-A", "y", "a").then(.press("0"), .press("1"), .close(2)),
    C("-A", "x", "a").then(.pressOther("0"), .close(2)), C("-A", "x", "a").then(.token("T"), .press("0")),
    C("-A", "x", "a").then(.press("0"), .close(2)), C("-A", "yes=", "a"), C("-A", "=Yes", "a"), C("-A", "  ", "a"),
    C("-A", "", "a").crashing, C("-A", "=x", "-w", "a").then(.close(2)), C("--action", "q=Q", "a").then(.press("q")),
    C("-A", "x", "a").then(.press("0")).with { $0.behavior.reactsEarly = true },
    C("-A", "x", "-r", "5", "a").then(.press("0")).with { $0.behavior.reactsEarly = true },
  ]

  private static let waiting = [
    C("-w", "a").then(.close(1)), C("-w", "a").then(.close(2)), C("-w", "-p", "a").then(.close(3)),
    C("--wait=no", "a").then(.close(99)), C("-w", "-t", "500", "a").then(.close(1)),
    C("-w", "-r", "5", "-p", "a").then(.close(2)), C("-w", "a").then(.press("x"), .press("default"), .close(2)),
    C("-w", "a").then(.close(2)).with { $0.behavior.reactsEarly = true },
    C("-w", "-p", "a").then(.close(2)).with { $0.behavior.number = 4_294_967_295 },
  ]

  private static let daemons = [
    C("-A", "x", "-p", "a").with { $0.behavior.capabilities = ["body"] },
    C("-A", "", "a").with { $0.behavior.capabilities = [] },
    C("-A", "x", "-w", "a").then(.close(2)).with { $0.behavior.capabilities = ["body"] },
    C("-A", "x", "a").then(.press("0")).with { $0.behavior.capabilities = ["ACTIONS"] },
    C("-A", "x", "a").with { $0.behavior.failing = ["GetCapabilities"] },
    C("-e", "a").with { $0.behavior.failing = ["GetCapabilities"] },
    C("-p", "a").with { $0.behavior.failing = ["GetServerInformation"] },
    C("-p", "-r", "4", "a").with { $0.behavior.failing = ["Notify"] },
    C("-i", "x", "a").with { $0.behavior.specVersion = "1.0" },
    C("-i", "x", "a").with { $0.behavior.specVersion = "1.1" }, C("a").with { $0.behavior.specVersion = "none" },
  ]

  private static let bytes = [
    C("a\\377").raw.crashing, C("a", "b\\300\\200").raw.crashing, C("a", "\\377").crashing,
    C("-i", "\\377", "a").raw.crashing, C("-c", "\\355\\240\\200", "a").raw.crashing,
    C("-h", "string:k:\\377", "a").raw.crashing, C("-h", "string:\\377:k", "a").raw.crashing,
    C("-A", "\\377", "a").raw.crashing, C("-a", "\\377", "a").raw, C("-u", "\\377", "a").raw, C("-\\377", "a").raw,
    C("-t", "\\377", "a").raw, C("a", "\\351", "c").raw, C("-h", "\\377", "a").raw,
  ]

  private static let locales = [
    C("-a", "é", "a").with { $0.environment = ["LC_ALL": "C"] },
    C("-a", "plain", "é", "é").with { $0.environment = ["LC_ALL": "C"] },
    C("-i", "é", "-c", "é", "-h", "string:é:é", "a").with { $0.environment = ["LC_ALL": "C"] },
    C("-A", "é=é", "a").then(.press("é")).with { $0.environment = ["LC_ALL": "C"] },
    C("-a", "é", "a").with { $0.environment = ["LC_ALL": "C", "CHARSET": "UTF-8"] },
    C("-a", "\\351", "a").raw.with { $0.environment = ["CHARSET": "ISO-8859-1"] },
    C("-a", "é", "a").with { $0.environment = ["LANG": nil] },
    C("-a", "é", "a").with { $0.environment = ["LC_ALL": "xx_YY.UTF-8"] },
  ]
}

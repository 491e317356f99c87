import DBus
import Testing

@Suite("Match rules")
struct MatchRuleTests {
  @Test("The text names exactly what is given")
  func text() {
    #expect(MatchRule().text == "type='signal'")
    let rule = MatchRule(
      sender: "org.example.A", path: "/a/b", interface: "org.example.I", member: "M", firstArgument: "x")
    #expect(
      rule.text
        == "type='signal',sender='org.example.A',path='/a/b',interface='org.example.I',member='M',arg0='x'")
  }

  @Test(
    "Quotes, commas and backslashes in the first argument are quoted",
    arguments: [
      ("", "arg0=''"), ("a,b='c'", #"arg0='a,b='\''c'\'''"#), ("'", #"arg0=''\'''"#), (#"\"#, #"arg0='\'"#),
      ("''", #"arg0=''\'''\'''"#),
    ])
  func quoting(argument: String, expected: String) {
    #expect(MatchRule(firstArgument: argument).text == "type='signal'," + expected)
  }

  @Test("What a peer sends in the bus's place fits no rule for the bus's signals")
  func forgedBus() {
    let rule = MatchRule(sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameLost")
    var signal = Message(
      kind: .signal, sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameLost",
      body: [.string("org.example.Name")])
    #expect(rule.fits(signal))
    signal.sender = ":1.5"
    #expect(!rule.fits(signal))
  }

  @Test("A rule fits a signal only if every given part does")
  func fits() {
    let signal = Message(
      kind: .signal, sender: ":1.5", path: "/p", interface: "org.example.I", member: "M", body: [.string("x")])
    let fitting = [
      MatchRule(), MatchRule(sender: ":1.5"), MatchRule(sender: "org.example.Name"), MatchRule(path: "/p"),
      MatchRule(interface: "org.example.I", member: "M"), MatchRule(firstArgument: "x"),
    ]
    for rule in fitting { #expect(rule.fits(signal), "\(rule.text)") }
    let others = [
      MatchRule(sender: ":1.6"), MatchRule(path: "/q"), MatchRule(interface: "org.example.J"), MatchRule(member: "N"),
      MatchRule(firstArgument: "y"),
    ]
    for rule in others { #expect(!rule.fits(signal), "\(rule.text)") }
    var call = signal
    call.kind = .methodCall
    #expect(!MatchRule().fits(call))
    var number = signal
    number.body = [.uint32(1)]
    #expect(!MatchRule(firstArgument: "1").fits(number))
  }
}

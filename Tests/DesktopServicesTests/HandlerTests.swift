import Foundation
import NotificationBridge
import TestSupport
import Testing

@testable import DesktopServices

/// Handlers' files: what is written, what is read, what is wrong with them, and which one counts.
@Suite struct HandlerTests {
  private func read(_ text: String) throws -> Handler? { try Handler(text: text, name: "h") }

  private func fault(_ text: String) -> (line: Int, message: String)? {
    do {
      _ = try Handler(text: text, name: "h")
      return nil
    } catch { return (error.line, error.message) }
  }

  @Test("what was written is read as the same, whatever the words and conditions are")
  func roundTrip() throws {
    let words = [
      "plain", "", " ", "a b", "\"", "'", "\\", "\\\\n", "$HOME", "`id`", "%", "%%", "%f", ";", "#", "a=b", "~", "*?",
      "new\nline", "tab\there", "\r", "é😀", "trailing ", " leading", "[Handler]", "-x", "--",
    ]
    for word in words {
      let handler = Handler(
        name: "h", command: ["/bin/x", word, word + word], applications: word.isEmpty ? [] : [word, "org.example"],
        actions: word.isEmpty ? [] : [word], timeout: .milliseconds(1500))
      #expect(try read(handler.text) == handler, "\(handler.text)")
    }
    let all = Handler(name: "h", command: ["p"] + words, timeout: .seconds(90))
    #expect(try read(all.text) == all)
  }

  @Test("a file as people write it: comments, blanks, line ends of elsewhere, lists with and without an end")
  func reading() throws {
    let text =
      "# first\r\n\r\n [Handler] \r\nExec =  prog  \"a b\" c \r\nApplication=a;b\r\nAction=x\\;y;\r\nTimeout=5m\r\n"
    #expect(
      try read(text)
        == Handler(
          name: "h", command: ["prog", "a b", "c"], applications: ["a", "b"], actions: ["x;y"], timeout: .seconds(300)))
    for off in ["", "# nothing\n", "[Handler]\nDisabled=true\n", "[Handler]\nDisabled=true\nRubbish=1\n"] {
      #expect(try read(off) == nil)
    }
    #expect(try read("[Handler]\nDisabled=false\nExec=a\nExec=b\n")?.command == ["b"])
  }

  @Test(
    "what is wrong is said with its line",
    arguments: [
      ("[Handler]\nExec=a \"b\n", 2, "quote"), ("[Handler]\n\nExec=a %f\n", 3, "%%"),
      ("[Handler]\nExec=\\q\n", 2, "escape"),
      ("Exec=a\n", 1, "before the group"), ("[Handler]\nExec=a\nrubbish\n", 3, "'rubbish'"),
      ("[Handler]\nExec=a\nExce=b\n", 3, "'Exce'"), ("[Handler]\nExec=a\n[Other]\n", 3, "'[Other]'"),
      ("# one\n[Handler]\nAction=x\n", 2, "Exec is missing"), ("[Handler]\nExec=a\nTimeout=soon\n", 3, "'soon'"),
      ("[Handler]\nExec=a\nDisabled=maybe\n", 3, "'maybe'"), ("[Handler]\nExec=\n", 2, "Exec is missing"),
      ("[Handler]\nExec=a\n\u{1B}[31m\n", 3, "\\u{1b}"),
    ])
  func faults(text: String, line: Int, part: String) {
    let fault = fault(text)
    #expect(fault?.line == line)
    #expect(fault?.message.contains(part) == true, "\(fault?.message ?? "no fault")")
  }

  @Test("of files with one name that of the first folder counts; hidden files and others are none")
  func folders() throws {
    let home = try TemporaryHome()
    for name in ["user/b.handler", "system/a.handler", "system/b.handler", "user/.c.handler", "user/d.handler~"] {
      try home.write("[Handler]\nExec=\(name)\n", to: name)
    }
    try home.makeFolder("user/e.handler")
    let files = HandlerFile.all(in: ["\(home.path)/user", "\(home.path)/nowhere", "\(home.path)/system"])
    #expect(files.map(\.name) == ["a", "b", "b", "e"])
    #expect(files.map(\.isOverridden) == [false, false, true, false])
    #expect(try files[1].handler()?.command == ["user/b.handler"])
    let error = #expect(throws: HandlerError.self) { try files[3].handler() }
    #expect(error?.description.hasPrefix("\(home.path)/user/e.handler: ") == true)
  }

  @Test("a handler is for the responses that meet each of its conditions")
  func matching() {
    var content = ContentRecord()
    content.categoryIdentifier = "message"
    let response = ResponseRecord(
      notification: NotificationRecord(
        application: ApplicationRecord(identifier: "org.example.A", name: "A"),
        request: RequestRecord(identifier: "n", content: content), date: Date()), action: .custom("read"))
    func matches(_ applications: [String], _ categories: [String], _ actions: [String]) -> Bool {
      Handler(name: "h", command: ["p"], applications: applications, categories: categories, actions: actions)
        .matches(response)
    }
    #expect(matches([], [], []))
    #expect(matches(["x", "org.example.A"], ["message"], ["read", "default"]))
    #expect(!matches(["org.example.B"], [], []) && !matches([], ["other"], []) && !matches([], [], ["default"]))
  }

  @Test("a handler gets the response in variables and as one line of JSON, and nothing of the process's own")
  func input() throws {
    var content = ContentRecord()
    content.title = "T\0itle"
    content.userInfo = ["n": .integer(1)]
    let response = ResponseRecord(
      notification: NotificationRecord(
        application: ApplicationRecord(identifier: "a", name: "A"),
        request: RequestRecord(identifier: "n", content: content), date: Date()), action: .default, text: "x\ny",
      activationToken: "tok")
    let variables = HandlerInput.variables(response)
    #expect(variables["NOTIFY_BRIDGE_ACTION"] == "default" && variables["NOTIFY_BRIDGE_TEXT"] == "x\ny")
    #expect(variables["NOTIFY_BRIDGE_TITLE"] == "T\u{FFFD}itle" && variables["NOTIFY_BRIDGE_CATEGORY"] == "")
    #expect(variables["XDG_ACTIVATION_TOKEN"] == "tok")
    let text = String(decoding: HandlerInput.document(response), as: UTF8.self)
    #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["response", "app", "id", "action", "text", "title", "userInfo"])
    #expect(
      HandlerInput.inherited(["PATH": "/bin", "NOTIFY_SOCKET": "s", "NOTIFY_BRIDGE_TEXT": "old"]) == ["PATH": "/bin"])
  }
}

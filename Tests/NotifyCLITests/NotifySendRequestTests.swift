import DBus
import FreedesktopNotifications
import Testing

@testable import NotifyCLI

@Suite("notify-send: the call")
struct NotifySendRequestTests {
  private static func options(_ change: (inout NotifySendOptions) -> Void = { _ in }) -> NotifySendOptions {
    var options = NotifySendOptions()
    options.summary = Array("s".utf8)
    change(&options)
    return options
  }

  @Test("What was typed is sent, markup and all, with urgency and our process number")
  func plain() throws {
    let options = Self.options {
      $0.body = Array("<b>x</b> & \"y\"".utf8)
      $0.icon = Array("./i.png".utf8)
      $0.expireTime = -5
      $0.replacesID = 9
    }
    let arguments = try NotifySendRequest(options, processID: 42).arguments(with: [Action(key: "k", label: "&L")])
    #expect(
      arguments == [
        .string("notify-send"), .uint32(9), .string("./i.png"), .string("s"), .string("<b>x</b> & \"y\""),
        .strings(["k", "&L"]), .properties([("urgency", .byte(1)), ("sender-pid", .int64(42))]), .int32(-5),
      ])
  }

  @Test("The last value of a hint counts, typed ones over our own")
  func hints() throws {
    let options = Self.options {
      $0.category = Array("c".utf8)
      $0.isTransient = true
      $0.hints = [
        "string:category:d", "byte:urgency:2", "int:sender-pid:1", "boolean:transient:0", "int:k:1", "int:k:2",
      ].map {
        Array($0.utf8)
      }
    }
    let arguments = try NotifySendRequest(options, processID: 42).arguments(with: [])
    #expect(
      arguments[6].asProperties == [
        "category": .string("d"), "urgency": .byte(2), "sender-pid": .int32(1), "transient": .boolean(false),
        "k": .int32(2),
      ])
    guard case .dictionary(_, _, let entries) = arguments[6] else {
      Issue.record("no dictionary")
      return
    }
    #expect(entries.count == 5)
  }

  @Test("An empty application name is sent as such")
  func emptyName() throws {
    let options = Self.options { $0.appName = [] }
    #expect(try NotifySendRequest(options, processID: 1).arguments(with: [])[0] == .string(""))
  }

  @Test("Actions: trimmed, numbered over all that were typed, repeated keys kept, unusable ones left out")
  func actions() throws {
    let typed = ["Yes", " a = b=c ", "=x", "y=", "  ", "Two", "a=z"].map { Array($0.utf8) }
    let actions = try NotifySendRequest.actions(typed)
    #expect(
      actions == [
        Action(key: "0", label: "Yes"), Action(key: "a", label: "b=c"), Action(key: "5", label: "Two"),
        Action(key: "a", label: "z"),
      ])
    #expect(throws: NotifySendRequest.Fault.self) { try NotifySendRequest.actions([[]]) }
    #expect(throws: NotifySendRequest.Fault.self) { try NotifySendRequest.actions([[0xff]]) }
  }

  @Test("Text that is no UTF-8 is refused, whatever it is", arguments: 0..<4)
  func invalidText(part: Int) {
    let options = Self.options {
      let bytes: [UInt8] = [0x61, 0xff]
      switch part {
      case 0: $0.summary = bytes
      case 1: $0.body = bytes
      case 2: $0.icon = bytes
      default: $0.category = bytes
      }
    }
    #expect(throws: NotifySendRequest.Fault.self) { try NotifySendRequest(options, processID: 1) }
  }
}

@Suite("notify-send: what signals mean while it waits")
struct NotifySendWaitTests {
  private static let daemon: BusName = ":1.5"

  private static func signal(_ member: MemberName, _ body: [Value], from sender: BusName = daemon) -> Message {
    Message(
      kind: .signal, sender: sender, path: NotificationService.path, interface: NotificationService.interface,
      member: member, body: body)
  }

  private static func wait() -> NotifySendDialogue.Wait {
    // Chosen actions are printed, so none is chosen here; the end-to-end tests look at that.
    NotifySendDialogue.Wait(serverID: 7, owner: daemon, actions: [], options: NotifySendOptions())
  }

  @Test("Only the daemon's own closing of this notification ends the wait")
  func closing() {
    var wait = Self.wait()
    #expect(wait.receive(Self.signal("NotificationClosed", [.uint32(8), .uint32(2)])) == .goOn)
    #expect(wait.receive(Self.signal("NotificationClosed", [.uint32(7), .uint32(2)], from: ":1.6")) == .goOn)
    #expect(wait.receive(Self.signal("NotificationClosed", [.uint32(7)])) == .goOn)
    #expect(wait.receive(Self.signal("NotificationClosed", [.string("7"), .uint32(2)])) == .goOn)
    #expect(wait.receive(Self.signal("NotificationClosed", [.uint32(7), .string("2")])) == .goOn)
    #expect(wait.receive(Self.signal("NotificationClosed", [.uint32(7), .uint32(99)])) == .ended)
  }

  @Test("A daemon that leaves the bus, or gives the name away, will never close it")
  func lost() {
    func change(to owner: String) -> Message {
      Message(
        kind: .signal, sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        body: [.string("org.freedesktop.Notifications"), .string(":1.5"), .string(owner)])
    }
    var wait = Self.wait()
    #expect(wait.receive(change(to: ":1.5")) == .goOn)
    #expect(wait.receive(change(to: "")) == .lost)
    #expect(wait.receive(change(to: ":1.9")) == .lost)
  }
}

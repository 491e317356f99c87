import DBus
import Foundation
import TestSupport
import Testing

@Suite("Where the bus is looked for")
struct BusAddressTests {
  /// A folder with a file `bus`, as a runtime folder has.
  private func runtimeFolder(_ name: String = "run") throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "notify-bridge-\(UUID())/\(name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: "bus"))
    return folder
  }

  @Test("C062: a variable that is set always wins over the runtime folder's socket")
  func variableWins() throws {
    let folder = try runtimeFolder()
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let address = try BusAddress.session(environment: [
      "DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/tmp/dbus-other,guid=00", "XDG_RUNTIME_DIR": folder.path,
    ])
    #expect(address.text == "unix:abstract=/tmp/dbus-other,guid=00")
  }

  @Test("C062: without the variable, or with an empty one, the runtime folder's socket is taken", arguments: [nil, ""])
  func runtimeFolderSocket(variable: String?) throws {
    let folder = try runtimeFolder()
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    var environment = ["XDG_RUNTIME_DIR": folder.path]
    environment["DBUS_SESSION_BUS_ADDRESS"] = variable
    #expect(try BusAddress.session(environment: environment).text == "unix:path=\(folder.path)/bus")
  }

  @Test("C037: a bus that was started anew has another guid: the address without it leads to either")
  func anyRun() {
    let address = BusAddress("unix:path=/run/user/1/bus,guid=00ff;tcp:host=localhost,guid=01,port=7")
    #expect(address.ofAnyRun.text == "unix:path=/run/user/1/bus;tcp:host=localhost,port=7")
    #expect(BusAddress("unix:path=/a").ofAnyRun == BusAddress("unix:path=/a"))
  }

  @Test("Characters that the address syntax keeps for itself are escaped")
  func escaping() throws {
    let folder = try runtimeFolder("a,b=c;d é")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let address = try BusAddress.session(environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(address.text.hasSuffix("/a%2cb%3dc%3bd%20%c3%a9/bus"))
  }

  @Test("No variable and no socket is an error that says what was looked for")
  func nothing() {
    do throws(BusError) {
      _ = try BusAddress.session(environment: ["XDG_RUNTIME_DIR": "/nonexistent"], userID: 4_294_967_294)
      Issue.record("a bus was found")
    } catch {
      #expect(error.code == .noAddress)
      #expect(error.message.contains("/nonexistent/bus"))
      #expect(error.message.contains("DBUS_SESSION_BUS_ADDRESS"))
    }
  }

  @Test("An address that would start a bus is refused", arguments: ["autolaunch:", "autolaunch:scope=*user"])
  func autolaunch(text: String) async {
    do throws(BusError) {
      _ = try BusAddress.session(environment: ["DBUS_SESSION_BUS_ADDRESS": text])
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .noAddress)
    }
    do throws(BusError) {
      _ = try await BusConnection.connect(to: BusAddress(text))
      Issue.record("it was connected to")
    } catch {
      #expect(error.code == .noAddress)
    }
  }

  @Test("The system bus has its variable and its usual place")
  func system() {
    #expect(BusAddress.system(environment: [:]).text == "unix:path=/run/dbus/system_bus_socket")
    #expect(BusAddress.system(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]).text == "unix:path=/x")
  }
}

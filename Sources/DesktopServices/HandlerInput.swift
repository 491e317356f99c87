internal import FoundationEssentials
public import NotificationBridge

/// What a handler is given of a response.
///
/// Source: notify-bridge.conf(5), "What a handler is given".
public enum HandlerInput {
  /// The variables that carry the response.
  public static func variables(_ response: ResponseRecord) -> [String: String] {
    let request = response.notification.request
    var result = [
      "NOTIFY_BRIDGE_RESPONSE": response.id.uuidString,
      "NOTIFY_BRIDGE_APP": response.notification.application.identifier, "NOTIFY_BRIDGE_ID": request.identifier,
      "NOTIFY_BRIDGE_ACTION": response.action.word, "NOTIFY_BRIDGE_CATEGORY": request.content.categoryIdentifier,
      "NOTIFY_BRIDGE_THREAD": request.content.threadIdentifier, "NOTIFY_BRIDGE_TITLE": request.content.title,
      "NOTIFY_BRIDGE_BODY": request.content.body,
    ]
    result["NOTIFY_BRIDGE_TEXT"] = response.text
    result["XDG_ACTIVATION_TOKEN"] = response.activationToken
    result["DESKTOP_STARTUP_ID"] = response.activationToken
    // The system takes no NUL in a variable.
    return result.mapValues { $0.utf8.contains(0) ? String($0.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : $0 }
  }

  /// What a handler has of the variables of who starts it: all but those that are about that process itself.
  public static func inherited(_ environment: [String: String]) -> [String: String] {
    var result = environment
    for name in [
      "JOURNAL_STREAM", "NOTIFY_SOCKET", "INVOCATION_ID", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE",
      // Of another response, if it was a handler that started it.
      "NOTIFY_BRIDGE_TEXT", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    ] { result[name] = nil }
    return result
  }

  /// Its standard input: one JSON object on one line.
  public static func document(_ response: ResponseRecord) -> [UInt8] {
    let request = response.notification.request
    var object: [String: PropertyValue] = [
      "response": .string(response.id.uuidString), "app": .string(response.notification.application.identifier),
      "id": .string(request.identifier), "action": .string(response.action.word),
    ]
    func set(_ name: String, _ text: String?) { if let text, !text.isEmpty { object[name] = .string(text) } }
    set("text", response.text)
    set("category", request.content.categoryIdentifier)
    set("thread", request.content.threadIdentifier)
    set("title", request.content.title)
    set("subtitle", request.content.subtitle)
    set("body", request.content.body)
    if !request.content.userInfo.isEmpty { object["userInfo"] = .dictionary(request.content.userInfo) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(object)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
  }
}

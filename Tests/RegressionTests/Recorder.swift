import DBus
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// What a daemon with these capabilities gets for a request.
func translated(
  _ content: ContentRecord, capabilities: Capabilities = ["actions", "body", "body-markup"],
  category: CategoryRecord? = nil, desktop: DesktopOptions = .init(), media: Translator.Media = .init(),
  information: ServerInformation = .init(name: "fake", vendor: "test", version: "1", specVersion: "1.2"),
  application: ApplicationRecord = .init(identifier: "org.example.test", name: "Test", isKnown: true)
) -> Translator.Result {
  let profile = ServerProfile(owner: ":1.1", information: information, capabilities: capabilities)
  return Translator(for: profile).translate(
    RequestRecord(identifier: "r", content: content, desktop: desktop), from: application, category: category,
    media: media)
}

/// Content with a title and a body.
func content(title: String = "Title", body: String = "") -> ContentRecord {
  var content = ContentRecord()
  content.title = title
  content.body = body
  return content
}

extension FreedesktopNotifications.Notification {
  /// The value of a hint as sent; nil: not sent.
  func hint(_ name: String) -> Value? { hints.first { $0.name == name }?.value }
}

import UserNotifications

/// A service extension that does what the title says.
final class Service: UNNotificationServiceExtension {
  private var handler: ((UNNotificationContent) -> Void)?

  override func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
    switch content.title {
    case "change":
      print("this is no message")
      content.title = "changed"
      content.subtitle = request.trigger is UNPushNotificationTrigger ? "pushed" : "not pushed"
      content.body += " on the main thread: \(Thread.isMainThread)"
      content.userInfo["added"] = 1
      contentHandler(content)
    case "twice":
      for text in ["first", "second"] {
        content.body = text
        contentHandler(content)
      }
    case "late": handler = contentHandler
    case "blocked":
      handler = contentHandler
      print("it blocks")
      fflush(nil)
      DispatchSemaphore(value: 0).wait()
    case "default": super.didReceive(request, withContentHandler: contentHandler)
    case "unstorable":
      content.userInfo["object"] = Thread.current
      contentHandler(content)
    default: exit(3)
    }
  }

  override func serviceExtensionTimeWillExpire() {
    let content = UNMutableNotificationContent()
    content.body = "in time, on the main thread: \(Thread.isMainThread)"
    handler?(content)
  }
}

/// One that overrides nothing.
final class Idle: UNNotificationServiceExtension {}

if CommandLine.arguments.contains("idle") { Idle.main() } else { Service.main() }

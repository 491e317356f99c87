import UserNotificationsUI

/// A content extension that does what the action's identifier says.
final class Viewer: NSViewController, UNNotificationContentExtension {
  private var isLoaded = 0
  private var received: [String] = []

  override func viewDidLoad() { isLoaded += 1 }

  func didReceive(_ notification: UNNotification) {
    received.append(notification.request.identifier)
    let actions = extensionContext?.notificationActions.map(\.identifier).joined(separator: ",") ?? ""
    show("\(received.joined(separator: "+")) loaded \(isLoaded) actions \(actions) main \(Thread.isMainThread)")
  }

  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    guard let context = extensionContext else { return }
    switch response.actionIdentifier {
    case "buttons":
      context.notificationActions = [UNNotificationAction(identifier: "new", title: "New", options: .destructive)]
      show("now " + context.notificationActions.map(\.title).joined())
      completion(.doNotDismiss)
    case "open":
      context.performNotificationDefaultAction()
      completion(.doNotDismiss)
    case "close":
      context.dismissNotificationContentExtension()
      completion(.doNotDismiss)
    case "started":
      context.mediaPlayingStarted()
      completion(.doNotDismiss)
    case "paused":
      context.mediaPlayingPaused()
      completion(.doNotDismiss)
    case "controls":
      context.notificationControls = [
        NotificationControl(identifier: "pay", title: "Pay") { _ in self.show("paid") },
        NotificationControl(identifier: "on", title: "Alarm", kind: .switch(isOn: false)) { self.show("\($0.kind)") },
        NotificationControl(identifier: "n", title: "N", kind: .choice(options: ["a", "b"], selected: 7)) {
          self.show("\($0.kind)")
        },
      ]
      title = "Title"
      preferredContentSize = CGSize(width: 300, height: 100)
      completion(.doNotDismiss)
    case "later":
      completion(.doNotDismiss)
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { self.show("later") }
    case UNNotificationDismissActionIdentifier: completion(.dismiss)
    case "text": show((response as? UNTextInputNotificationResponse)?.userText ?? "no text"); completion(.dismiss)
    default: completion(.dismissAndForwardAction)
    }
  }

  let mediaPlayPauseButtonType = UNNotificationContentExtensionMediaPlayPauseButtonType.overlay
  let mediaPlayPauseButtonFrame = CGRect(x: 1, y: 2, width: 3, height: 4)
  let mediaPlayPauseButtonTintColor = UIColor.systemBlue

  func mediaPlay() {
    extensionContext?.mediaPlayingStarted()
    show("plays")
  }

  func mediaPause() { show("pauses") }

  private func show(_ text: String) {
    let content = UNMutableNotificationContent()
    content.body = text
    extensionContext?.notificationContent = content
  }
}

/// One with an asynchronous form.
final class AsyncViewer: UIViewController, UNNotificationContentExtension {
  func didReceive(_ notification: UNNotification) {}

  func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
    await Task.yield()
    return response.actionIdentifier == "keep" ? .doNotDismiss : .dismiss
  }
}

/// One that only draws.
final class Plain: UIViewController, UNNotificationContentExtension {
  func didReceive(_ notification: UNNotification) {}
}

/// One that is none.
final class Nothing: NSViewController {}

switch CommandLine.arguments.dropFirst().first {
case "async": AsyncViewer.main()
case "plain": Plain.main()
case "nothing": Nothing.main()
default: Viewer.main()
}

internal import NotificationBridge
internal import UserNotifications

/// Hands the bridge's messages to a content extension and its words back.
@MainActor final class ContentExtensionProgram {
  private let controller: any NSViewController & UNNotificationContentExtension
  private let context = NSExtensionContext()
  private var isLoaded = false

  init(_ controller: any NSViewController & UNNotificationContentExtension) {
    self.controller = controller
    controller.extensionContext = context
  }

  func take(_ message: ExtensionMessage, _ output: ExtensionProgram.Output) {
    if !isLoaded {
      isLoaded = true
      context.connect { output.send($0) }
      context.beginAnswer()
      controller.viewDidLoad()
    }
    switch message {
    case .notification(let record, let actions):
      answer {
        context.offer(actions)
        controller.didReceive(UNNotification.make(record))
      }
    case .response(let record):
      guard let response = UNNotificationResponse.make(record) else {
        return output.send(.done(.dismissAndForwardAction))
      }
      context.beginAnswer()
      controller.didReceive(response) { option in
        // Behind what is shown by the end of this call, however soon the extension decides.
        DispatchQueue.main.async { [self] in
          MainActor.assumeIsolated {
            // What it shows by now comes first: the notification is shown anew once.
            showMore()
            context.flush(isAnswer: false)
            output.send(.done(ContentExtensionDecision(option)))
          }
        }
      }
      showMore()
      context.endAnswer()
    case .control(let change): answer { context.use(change) }
    case .media(let isPlaying):
      if isPlaying { controller.mediaPlay() } else { controller.mediaPause() }
    default:
      ExtensionProgram.complain("this is a content extension: \(message.kind.quotedForPeople) means nothing to it")
    }
  }

  private func answer(_ body: () -> Void) {
    context.beginAnswer()
    body()
    showMore()
    context.flush(isAnswer: true)
  }

  private func showMore() {
    let kind: ContentUpdate.MediaButton.Kind =
      switch controller.mediaPlayPauseButtonType {
      case .none: .none
      case .default: .default
      case .overlay: .overlay
      }
    context.show(title: controller.title, size: controller.preferredContentSize, mediaButton: kind)
  }
}

extension ContentExtensionDecision {
  fileprivate init(_ option: UNNotificationContentExtensionResponseOption) {
    self =
      switch option {
      case .doNotDismiss: .doNotDismiss
      case .dismiss: .dismiss
      case .dismissAndForwardAction: .dismissAndForwardAction
      }
  }
}

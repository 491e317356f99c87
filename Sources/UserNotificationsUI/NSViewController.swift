internal import NotificationBridge
public import UserNotifications

/// The base of a content extension's controller: what Linux lacks of Apple's class, as far as content extensions without
/// a window use it.
@MainActor open class NSViewController: NSObject {
  /// The way to the notification; never nil in an extension that the bridge runs.
  public internal(set) var extensionContext: NSExtensionContext?
  /// The title of what is shown, where the bundle says `UNNotificationExtensionOverridesDefaultTitle`.
  open var title: String?
  /// In points. Kept for a window.
  open var preferredContentSize = CGSize.zero

  /// - Parameters: ignored; there are no interface files.
  public init(nibName: String?, bundle: Bundle?) { super.init() }

  /// As Apple's systems make it from an interface file; ``main()`` does.
  public required init?(coder: NSCoder) { super.init() }

  /// Called once, ahead of everything else.
  open func viewDidLoad() {}
}

/// The name on iOS.
public typealias UIViewController = NSViewController

extension NSViewController {
  /// Runs the extension as the program that it is, and does not return: a `main.swift` with
  /// `NotificationViewController.main()` is all that it needs beside the class, which adopts
  /// ``UNNotificationContentExtension``; or mark the class `@main`.
  public static func main() {
    let coder = NSKeyedUnarchiver.ofNothing
    guard let controller = Self(coder: coder) else {
      ExtensionProgram.complain("\(Self.self).init(coder:) gave nothing")
      exit(2)
    }
    guard let drawer = controller as? any NSViewController & UNNotificationContentExtension else {
      ExtensionProgram.complain("\(Self.self) must adopt UNNotificationContentExtension")
      exit(2)
    }
    let program = ContentExtensionProgram(drawer)
    ExtensionProgram.run { message, output in program.take(message, output) }
  }
}

extension NSKeyedUnarchiver {
  /// One that has no key.
  fileprivate static var ofNothing: NSKeyedUnarchiver {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.finishEncoding()
    do {
      return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    } catch {
      preconditionFailure("an archive of nothing cannot be read: \(error)")
    }
  }
}

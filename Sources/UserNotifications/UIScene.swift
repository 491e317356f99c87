/// One instance of an application's user interface.
///
/// Apple's systems have them in UIKit; a program on Linux has none and can make none. The type is here so that
/// ``UNNotificationResponse/targetScene`` can be asked for.
///
/// Source: Apple, UIScene.
@MainActor
open class UIScene: NSObject {
  @available(*, unavailable, message: "Linux has no scenes.")
  public override init() { fatalError("Linux has no scenes") }
}

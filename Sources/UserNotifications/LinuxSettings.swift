import Synchronization

/// What only programs on Linux say.
public enum NotifyBridge {
  private static let setting = Mutex<String?>(nil)

  /// The application's identifier: the name of its desktop entry without `.desktop`. Set it before the center is used;
  /// it beats the main bundle's identifier, the variable `NOTIFY_BRIDGE_APP_ID`, and what is known of how the process
  /// was started. May be used from any thread.
  public static var applicationIdentifier: String? {
    get { setting.withLock { $0 } }
    set { setting.withLock { $0 = newValue } }
  }
}

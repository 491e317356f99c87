public import NotificationBridge

/// An application's extension, as its bundle `NAME.appex` describes it.
///
/// Source: Apple, "Modifying content in newly delivered notifications" and "Customizing the Appearance of
/// Notifications", the keys of `Info.plist`; notify-bridge-extension(7).
public struct ExtensionBundle: Sendable, Hashable {
  /// What it does.
  public enum Kind: Sendable, Hashable {
    /// It changes what is pushed before it is shown.
    case service
    /// It draws what is shown of its categories.
    case content(ContentExtension)

    /// For people and `--json`.
    public var word: String {
      switch self {
      case .service: "service"
      case .content: "content"
      }
    }
  }

  /// The folder's name without ``ending``.
  public var name: String
  /// The folder, an absolute path.
  public var path: String
  /// The program, an absolute path within the folder.
  public var executable: String
  /// `CFBundleIdentifier`; the name, if there is none.
  public var identifier: String
  /// `CFBundleDisplayName`, else `CFBundleName`, else the name.
  public var displayName: String
  /// `NSExtensionPrincipalClass`; only people want to know.
  public var principalClass: String?
  public var kind: Kind

  public static let ending = ".appex"

  /// The categories of a content extension.
  public var categories: [String] { if case .content(let content) = kind { content.categories } else { [] } }
}

/// Something that is wrong with a bundle.
public struct BundleProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or folder that it is about.
  public var path: String
  /// The key of `Info.plist`, with those of the dictionaries around it; nil: it is about none.
  public var key: String?
  /// What is wrong and what to do about it, without a final full stop.
  public var message: String
  /// The extension is not used because of it.
  public var isFatal: Bool
  /// The other bundles that it is about.
  public var others: [String] = []

  public init(_ path: String, key: String? = nil, _ message: String, isFatal: Bool = true) {
    self.path = path
    self.key = key
    self.message = message
    self.isFatal = isFatal
  }

  public var description: String { path.visibleForPeople + ": " + (key.map { $0 + ": " } ?? "") + message }
}

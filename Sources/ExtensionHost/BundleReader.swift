internal import DesktopServices
internal import Glibc
internal import NotificationBridge

/// Reads a bundle and says everything that is wrong with it.
public struct BundleReader: Sendable {
  /// Nil where a problem is fatal.
  public private(set) var bundle: ExtensionBundle?
  public private(set) var problems: [BundleProblem] = []
  /// The files that decide what was read, some of which need not exist.
  public private(set) var files: [String] = []

  private static let servicePoint = "com.apple.usernotifications.service"
  private static let contentPoint = "com.apple.usernotifications.content-extension"
  private static let categoryKey = "UNNotificationExtensionCategory"
  private static let ratioKey = "UNNotificationExtensionInitialContentSizeRatio"
  private static let hiddenKey = "UNNotificationExtensionDefaultContentHidden"
  private static let titleKey = "UNNotificationExtensionOverridesDefaultTitle"
  private static let interactionKey = "UNNotificationExtensionUserInteractionEnabled"

  private let folder: String
  private var list: String
  private var hasFault = false

  /// - Parameter folder: an absolute path that ends in `.appex`.
  public init(_ folder: String) {
    self.folder = folder
    let inner = folder + "/Contents/Info.plist"
    list = folder + "/Info.plist"
    files = [folder, list, inner]
    if unsafe access(list, F_OK) != 0, unsafe access(inner, F_OK) == 0 { list = inner }
    let name = String(folder.split(separator: "/").last ?? "")
    guard name.hasSuffix(ExtensionBundle.ending), name.count > ExtensionBundle.ending.count else {
      fault("the folder's name must end in \(ExtensionBundle.ending)", at: folder)
      return
    }
    read(named: String(name.dropLast(ExtensionBundle.ending.count)))
    if hasFault { bundle = nil }
  }

  private mutating func read(named name: String) {
    if Self.isOpenToAll(folder) { fault("everybody may write into it: chmod o-w", at: folder) }
    let bytes: [UInt8]
    switch SmallFile.bytes(list, limit: 1 << 20) {
    case .success(let content): bytes = content
    case .failure(.missing): return fault("it is missing: describe the extension there", at: list)
    case .failure(.unreadable): return fault("it cannot be read", at: list)
    case .failure(.malformed): return fault("it is no regular file, or is over 1 MiB", at: list)
    }
    let entries: [String: PropertyValue]
    do throws(BridgeError) {
      entries = try PropertyList.dictionary(bytes)
    } catch {
      return fault(error.message, at: list)
    }
    let executable = executable(entries["CFBundleExecutable"])
    let identifier = text(entries["CFBundleIdentifier"], "CFBundleIdentifier")
    let display = text(entries["CFBundleDisplayName"], "CFBundleDisplayName")
    let short = text(entries["CFBundleName"], "CFBundleName")
    guard let kind = kind(entries["NSExtension"], name), let executable else { return }
    var principal: String?
    if case .dictionary(let description)? = entries["NSExtension"] {
      principal = self.text(description["NSExtensionPrincipalClass"], "NSExtension.NSExtensionPrincipalClass")
    }
    bundle = ExtensionBundle(
      name: name, path: folder, executable: executable, identifier: identifier ?? name,
      displayName: display ?? short ?? name, principalClass: principal, kind: kind)
  }

  // MARK: What it is

  private mutating func kind(_ value: PropertyValue?, _ name: String) -> ExtensionBundle.Kind? {
    guard case .dictionary(let entries)? = value else {
      fault(
        value == nil ? "is missing: it says which kind of extension this is" : "must be a dictionary", "NSExtension")
      return nil
    }
    let pointKey = "NSExtension.NSExtensionPointIdentifier"
    let kinds = "\(Self.servicePoint) or \(Self.contentPoint)"
    guard let point = text(entries["NSExtensionPointIdentifier"], pointKey) else {
      if entries["NSExtensionPointIdentifier"] == nil { fault("is missing: give \(kinds)", pointKey) }
      return nil
    }
    switch point {
    case Self.servicePoint: return .service
    case Self.contentPoint: return content(entries["NSExtensionAttributes"], name).map { .content($0) }
    default:
      fault("is \(point.quotedForPeople); there are \(Self.servicePoint) and \(Self.contentPoint)", pointKey)
      return nil
    }
  }

  private mutating func content(_ value: PropertyValue?, _ name: String) -> ContentExtension? {
    let path = "NSExtension.NSExtensionAttributes"
    guard case .dictionary(let entries)? = value else {
      fault(value == nil ? "is missing: \(Self.categoryKey) belongs into it" : "must be a dictionary", path)
      return nil
    }
    let categories = categories(entries[Self.categoryKey], "\(path).\(Self.categoryKey)")
    var content = ContentExtension(name: name, categories: categories ?? [])
    content.hidesDefaultContent = flag(entries[Self.hiddenKey], "\(path).\(Self.hiddenKey)")
    content.overridesTitle = flag(entries[Self.titleKey], "\(path).\(Self.titleKey)")
    content.isInteractive = flag(entries[Self.interactionKey], "\(path).\(Self.interactionKey)")
    switch entries[Self.ratioKey] {
    case .integer(let number)? where number > 0: content.sizeRatio = Double(number)
    case .double(let number)? where number > 0 && number.isFinite: content.sizeRatio = number
    case nil: warn("is missing: give the height by the width, 1 is taken", "\(path).\(Self.ratioKey)")
    default: fault("must be a number above 0, the height by the width", "\(path).\(Self.ratioKey)")
    }
    return categories == nil ? nil : content
  }

  private mutating func categories(_ value: PropertyValue?, _ key: String) -> [String]? {
    let expected = "must be the identifier of a category, or an array of them"
    var found: [String] = []
    var seen: Set<String> = []
    switch value {
    case nil:
      fault("is missing: give the identifier of a category, or an array of them", key)
      return nil
    case .string(let text)?: found = [text]
    case .array(let elements)?:
      for element in elements {
        guard case .string(let text) = element else {
          fault(expected, key)
          return nil
        }
        if seen.insert(text).inserted { found.append(text) }
      }
    default: break
    }
    if found.isEmpty || found.contains("") {
      fault(expected + (found.isEmpty ? "" : ", and none may be empty"), key)
      return nil
    }
    return found
  }

  // MARK: Its program

  private mutating func executable(_ value: PropertyValue?) -> String? {
    let key = "CFBundleExecutable"
    guard let name = text(value, key) else {
      if value == nil { fault("is missing: give the name of the program in the bundle", key) }
      return nil
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      fault("is \(name.quotedForPeople): the program must be in the bundle, and its name without '..'", key)
      return nil
    }
    let places = [folder, folder + "/Contents/MacOS", folder + "/Contents/Linux"].map { $0 + "/" + name }
    files += places
    guard let path = places.first(where: { unsafe access($0, F_OK) == 0 }) else {
      fault("names \(name.quotedForPeople), and there is no such file in the bundle", key)
      return nil
    }
    guard let real = Self.realPath(path), let root = Self.realPath(folder), real.hasPrefix(root + "/") else {
      fault("\(name.quotedForPeople) is a link that leads out of the bundle: put the program itself there", key)
      return nil
    }
    guard SmallFile.isRegular(real), unsafe access(real, X_OK) == 0 else {
      fault("\(name.quotedForPeople) cannot be executed: chmod +x", key)
      return nil
    }
    if Self.isOpenToAll(real) { fault("everybody may change \(name.quotedForPeople): chmod o-w", key) }
    return real
  }

  private static func realPath(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  private static func isOpenToAll(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  // MARK: Values

  private mutating func text(_ value: PropertyValue?, _ key: String) -> String? {
    switch value {
    case nil: return nil
    case .string(let text)? where !text.isEmpty && !text.utf8.contains(0): return text
    default:
      fault("must be text, and not empty", key)
      return nil
    }
  }

  private mutating func flag(_ value: PropertyValue?, _ key: String) -> Bool {
    switch value {
    case nil: return false
    case .boolean(let flag)?: return flag
    default:
      fault("must be true or false", key)
      return false
    }
  }

  private mutating func fault(_ message: String, _ key: String? = nil, at path: String? = nil) {
    hasFault = true
    problems.append(BundleProblem(path ?? list, key: key, message))
  }

  private mutating func warn(_ message: String, _ key: String) {
    problems.append(BundleProblem(list, key: key, message, isFatal: false))
  }
}

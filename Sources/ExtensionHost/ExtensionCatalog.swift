internal import DesktopServices
internal import NotificationBridge
internal import Synchronization

/// The extensions that are installed. What changes in the folders counts the next time that somebody asks.
public final class ExtensionCatalog: Sendable {
  /// What an application has.
  public struct Found: Sendable {
    /// Those that can be used, by name; of one name the one in the most important folder.
    public var bundles: [ExtensionBundle] = []
    /// Those that another of the same name stands in for.
    public var overridden: [ExtensionBundle] = []
    public var problems: [BundleProblem] = []

    /// The service extension; nil: none, or several.
    public var service: ExtensionBundle? {
      let services = bundles.filter { $0.kind == .service }
      return services.count == 1 ? services[0] : nil
    }

    /// The content extension for a category; nil: none, or several.
    public func content(for category: String) -> ExtensionBundle? {
      let drawing = bundles.filter { $0.categories.contains(category) }
      return drawing.count == 1 ? drawing[0] : nil
    }
  }

  private struct Entry {
    var found: Found
    /// Each file that decided, and in which state it was.
    var marks: [(path: String, mark: String)]
  }

  private let folders: [String]
  private let entries = Mutex<[String: Entry]>([:])

  public init(_ folders: ExtensionFolders) { self.folders = folders.all }

  /// What an application has now.
  public func extensions(of application: String) -> Found {
    guard ExtensionFolders.canHaveFolder(application) else { return Found() }
    return entries.withLock { entries in
      if let entry = entries[application], entry.marks.allSatisfy({ FileMark.text($0.path) == $0.mark }) {
        return entry.found
      }
      let entry = read(application)
      // Applications without any extension, whose names anybody can make up, are not remembered.
      let isEmpty = entry.found.bundles.isEmpty && entry.found.problems.isEmpty
      entries[application] = isEmpty ? nil : entry
      return entry.found
    }
  }

  /// The applications that have a folder for extensions.
  public var applications: [String] { Set(folders.flatMap { ExtensionFolders.names(in: $0) }).sorted() }

  /// What is wrong with any extension, a sentence each.
  public var problems: [String] {
    applications.flatMap { extensions(of: $0).problems }.filter(\.isFatal).map { $0.description }
  }

  private func read(_ application: String) -> Entry {
    var found = Found()
    var files: [String] = []
    var taken: Set<String> = []
    for folder in folders.map({ $0 + "/" + application }) {
      files.append(folder)
      for name in ExtensionFolders.names(in: folder) where name.hasSuffix(ExtensionBundle.ending) {
        let reader = BundleReader(folder + "/" + name)
        files += reader.files
        let isOverridden = !taken.insert(name).inserted
        if isOverridden {
          if let bundle = reader.bundle { found.overridden.append(bundle) }
          continue
        }
        found.problems += reader.problems
        if let bundle = reader.bundle { found.bundles.append(bundle) }
      }
    }
    found.bundles.sort { $0.name < $1.name }
    found.problems += Self.conflicts(found.bundles)
    return Entry(found: found, marks: files.map { ($0, FileMark.text($0)) })
  }

  /// Those that are in each other's way.
  private static func conflicts(_ bundles: [ExtensionBundle]) -> [BundleProblem] {
    var problems: [BundleProblem] = []
    func refuse(_ several: [ExtensionBundle], _ what: String) {
      guard several.count > 1 else { return }
      let names = several.map { $0.name.quotedForPeople }.joined(separator: " and ")
      var problem = BundleProblem(
        several[0].path,
        "\(names) are \(several.count == 2 ? "both" : "all") \(what), so none is used: remove all but one")
      problem.others = several.dropFirst().map(\.path)
      problems.append(problem)
    }
    refuse(bundles.filter { $0.kind == .service }, "service extensions of one application")
    for category in Set(bundles.flatMap(\.categories)).sorted() {
      refuse(
        bundles.filter { $0.categories.contains(category) }, "content extensions for \(category.quotedForPeople)")
    }
    return problems
  }
}

public import DesktopServices
public import NotificationBridge
internal import Synchronization

/// Finds the extensions of applications and runs their programs.
public final class ExtensionHost: ExtensionRunner {
  public let catalog: ExtensionCatalog
  private let starter: ExtensionStarter
  private let log: any BridgeLog
  private let lines = Mutex<[String: ServiceLine]>([:])
  /// Problems that were logged.
  private let known = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - environment: all of this process's variables.
  ///   - units: the user manager, if programs are to be started by it where it is there.
  ///   - executor: where calls of the user manager are waited for.
  public init(
    folders: ExtensionFolders, environment: [String: String], units: TransientUnits? = nil,
    on executor: (any TaskExecutor)? = nil, limits: ExtensionLimits = ExtensionLimits(), log: any BridgeLog
  ) {
    catalog = ExtensionCatalog(folders)
    starter = ExtensionStarter(
      folders: folders, environment: environment, units: units, executor: executor, limits: limits)
    self.log = log
  }

  /// What is wrong with any extension, a sentence each.
  public var problems: [String] { catalog.problems }

  private func found(_ application: String) -> ExtensionCatalog.Found {
    let found = catalog.extensions(of: application)
    for problem in found.problems where problem.isFatal {
      let text = problem.description
      // Once each; many that change for ever are no reason to keep them all.
      let isNew = known.withLock { known in
        if known.count > 1000 { known = [] }
        return known.insert(text).inserted
      }
      if isNew { log.write(.warning, text) }
    }
    return found
  }

  // MARK: Service extensions

  public func hasService(of application: String) -> Bool { found(application).service != nil }

  public func modify(
    _ request: RequestRecord, of application: ApplicationRecord,
    _ answer: @escaping @Sendable (ContentRecord?) -> Void
  ) {
    guard let bundle = found(application.identifier).service else { return answer(nil) }
    let line = lines.withLock { lines in
      if let line = lines[application.identifier] { return line }
      let line = ServiceLine(starter, log)
      lines[application.identifier] = line
      return line
    }
    line.add(bundle, request, application, answer)
  }

  // MARK: Content extensions

  public func contentExtension(of application: String, for category: String) -> ContentExtension? {
    guard case .content(let content)? = found(application).content(for: category)?.kind else { return nil }
    return content
  }

  public func open(
    _ content: ContentExtension, of application: ApplicationRecord,
    _ events: @escaping @Sendable (ContentExtensionEvent) -> Void
  ) -> any ContentExtensionSession {
    let identifier = application.identifier
    let catalog = catalog
    return ContentSession(
      content.name, identifier, starter, log, events,
      // Looked for at each start: another version may have been installed.
      bundle: { catalog.extensions(of: identifier).bundles.first { $0.name == content.name && $0.kind != .service } })
  }
}

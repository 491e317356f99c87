internal import ExtensionHost
internal import NotificationBridge

/// `extension list`: what is installed, and what is wrong with it.
enum ExtensionList {
  /// - Parameter application: nil: all.
  static func run(_ catalog: ExtensionCatalog, application: String?, json: Bool) -> ExitStatus {
    var lines: [Line] = []
    for application in application.map({ [$0] }) ?? catalog.applications {
      let found = catalog.extensions(of: application)
      let fatal = found.problems.filter(\.isFatal)
      for bundle in found.bundles {
        let problem = fatal.first { $0.path == bundle.path || $0.others.contains(bundle.path) }
        lines.append(Line(application, bundle, problem == nil ? "active" : "refused", problem))
      }
      lines += found.overridden.map { Line(application, $0, "overridden", nil) }
      for problem in fatal where !found.bundles.contains(where: { $0.path == problem.path }) {
        lines.append(Line(application, problem))
      }
    }
    if json {
      for line in lines { Output.json(line) }
    } else {
      for line in TextTable.lines(lines.map(\.row)) { Output.result(line) }
    }
    return lines.contains { $0.problem != nil } ? .failure : .success
  }

  /// An extension, as one object of `--json`.
  struct Line: Encodable {
    let application, name, path: String
    /// `active`, `overridden`, `refused` or `broken`.
    let state: String
    /// `service` or `content`.
    var kind, identifier, displayName: String?
    var categories: [String]?
    /// Height by width.
    var sizeRatio: Double?
    /// What is wrong with it.
    var problem: String?
    /// The key of its `Info.plist` that this is about.
    var key: String?

    init(_ application: String, _ bundle: ExtensionBundle, _ state: String, _ problem: BundleProblem?) {
      self.application = application
      name = bundle.name
      path = bundle.path
      self.state = state
      kind = bundle.kind.word
      identifier = bundle.identifier
      displayName = bundle.displayName
      if case .content(let content) = bundle.kind {
        categories = content.categories
        sizeRatio = content.sizeRatio
      }
      self.problem = problem?.message
    }

    init(_ application: String, _ problem: BundleProblem) {
      self.application = application
      path = problem.path
      name =
        problem.path.split(separator: "/").last { $0.hasSuffix(ExtensionBundle.ending) }
        .map { String($0.dropLast(ExtensionBundle.ending.count)) } ?? ""
      state = "broken"
      self.problem = problem.message
      key = problem.key
    }

    /// The same as a row of a table.
    var row: [String] {
      var what = path.onOneLine(limit: 200)
      if let problem { what += ": " + (key.map { $0 + ": " } ?? "") + problem.onOneLine(limit: 300) }
      let categories = categories ?? []
      return [
        application.onOneLine(), name.onOneLine(), kind ?? "-", state,
        categories.isEmpty ? "-" : categories.map { $0.onOneLine() }.joined(separator: ","), what,
      ]
    }
  }
}

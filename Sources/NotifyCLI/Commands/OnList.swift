internal import DesktopServices
internal import NotificationBridge

/// `on list`: the handlers' files and what the bridge makes of each.
enum OnList {
  static func run(_ folders: HandlerFolders, json: Bool) {
    let lines = HandlerFile.all(in: folders.all).map(Line.init)
    if json {
      for line in lines { Output.json(line) }
    } else {
      for line in TextTable.lines(lines.map(\.row)) { Output.result(line) }
    }
  }

  /// A file, as one object of `--json`.
  struct Line: Encodable {
    let name, file: String
    /// `active`, `disabled`, `overridden` or `broken`.
    let state: String
    var applications, categories, actions, command: [String]?
    /// In seconds.
    var timeout: Double?
    /// What is wrong with it.
    var problem: String?
    /// Where that is, from 1.
    var line: Int?

    init(_ handlerFile: HandlerFile) {
      name = handlerFile.name
      file = handlerFile.path
      do throws(HandlerError) {
        let handler = try handlerFile.handler()
        state = handlerFile.isOverridden ? "overridden" : handler == nil ? "disabled" : "active"
        guard let handler else { return }
        (applications, categories, actions) = (handler.applications, handler.categories, handler.actions)
        command = handler.command
        timeout = handler.timeout.map { $0 / .seconds(1) }
      } catch {
        state = handlerFile.isOverridden ? "overridden" : "broken"
        problem = error.message
        line = error.line
      }
    }

    /// The same as a row of a table.
    var row: [String] {
      var what = ""
      if let problem {
        what = (line.map { "line \($0): " } ?? "") + problem.onOneLine(limit: 200)
      } else if let command {
        what = conditions + "runs " + ExecLine.text(command).onOneLine(limit: 200)
      }
      return [name.onOneLine(), state, file.onOneLine(limit: 200), what]
    }

    private var conditions: String {
      let lists = [("for ", applications), ("category ", categories), ("action ", actions)]
      return lists.compactMap { word, list in
        guard let list, !list.isEmpty else { return nil }
        return word + list.map { $0.onOneLine() }.joined(separator: ", ") + "; "
      }.joined()
    }
  }
}

import Glibc
import NotificationBridge
import Synchronization

/// Where the files of this process's notifications are kept: a private folder, in it one folder for each request.
///
/// A file moves in when its request is added, is copied if it lies in the application's bundle or here already, and goes
/// with its notification. Everything goes with the process.
final class AttachmentFolders: Sendable {
  /// The files of one request.
  struct Staged: Sendable {
    fileprivate let folder: String
    /// Original places of files that were moved.
    fileprivate let moved: [(original: String, stored: String)]
    /// The attachments with their new places.
    let records: [AttachmentRecord]
  }

  private struct State: Sendable {
    var root: String?
    /// Folders by path; true once the engine knows of them.
    var folders: [String: Bool] = [:]
  }

  private let bundlePath: String
  private let parent: String
  private let state = Mutex(State())

  init(bundlePath: String = Bundle.main.bundlePath, parent: String = NSTemporaryDirectory()) {
    self.bundlePath = URL(fileURLWithPath: bundlePath).standardizedFileURL.path
    self.parent = URL(fileURLWithPath: parent).standardizedFileURL.path
  }

  deinit { removeEverything() }

  /// Whether there are any files.
  var isEmpty: Bool { state.withLock { $0.folders.isEmpty } }

  /// Takes the files in. On failure all stay where they were.
  /// - Throws: ``UNError`` 100, 101, 102 or 105 for a file that changed since its attachment was made, 103 for one that
  ///   is in the store no more, 104 when it cannot be moved.
  func stage(_ attachments: [AttachmentRecord]) throws(UNError) -> Staged {
    let folder = try makeFolder()
    var moved: [(original: String, stored: String)] = []
    var records: [AttachmentRecord] = []
    do throws(UNError) {
      for (index, attachment) in attachments.enumerated() {
        var record = attachment
        let isStored = state.withLock { $0.root.map { attachment.path.hasPrefix($0 + "/") } ?? false }
        if isStored, !FileManager.default.fileExists(atPath: attachment.path) {
          throw UNError(
            .attachmentNotInDataStore, "attachment \(attachment.path) went with the notification it belonged to")
        }
        let url = URL(fileURLWithPath: attachment.path, isDirectory: false)
        _ = try AttachmentFile(url, typeHint: attachment.type)
        record.path = "\(folder)/\(index)-\(url.lastPathComponent)"
        try transfer(attachment.path, to: record.path, copies: isStored || isInBundle(attachment.path))
        if !isStored, !isInBundle(attachment.path) { moved.append((attachment.path, record.path)) }
        records.append(record)
      }
    } catch {
      putBack(moved)
      remove([folder])
      throw error
    }
    return Staged(folder: folder, moved: moved, records: records)
  }

  /// Says that the engine knows of them: from now on they go when nothing needs them.
  func submitted(_ staged: Staged) { state.withLock { $0.folders[staged.folder] = true } }

  /// Undoes it, since the request failed: the program may want to try again.
  func restore(_ staged: Staged) {
    putBack(staged.moved)
    remove([staged.folder])
  }

  /// The folders of submitted requests in which no file is in use; for ``remove(_:)``.
  func unused(_ pathsInUse: Set<String>) -> [String] {
    let inUse = Set(pathsInUse.map { ($0 as NSString).deletingLastPathComponent })
    return state.withLock { state in state.folders.filter { $0.value && !inUse.contains($0.key) }.map(\.key) }
  }

  func remove(_ folders: [String]) {
    for folder in folders {
      try? FileManager.default.removeItem(atPath: folder)
      state.withLock { $0.folders[folder] = nil }
    }
  }

  /// For the process's end.
  func removeEverything() {
    guard let root = state.withLock({ $0.root.take() }) else { return }
    try? FileManager.default.removeItem(atPath: root)
  }

  private func makeFolder() throws(UNError) -> String {
    do {
      let root = try state.withLock { state in
        if let root = state.root { return root }
        let root = URL(fileURLWithPath: parent).appendingPathComponent("notify-bridge-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
          atPath: root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        state.root = root
        return root
      }
      let folder = root + "/" + UUID().uuidString
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      state.withLock { $0.folders[folder] = false }
      return folder
    } catch {
      throw UNError(
        .attachmentMoveIntoDataStoreFailed, "no store for attachments can be made: \(error.localizedDescription)",
        cause: error)
    }
  }

  private func isInBundle(_ path: String) -> Bool {
    !bundlePath.isEmpty && bundlePath != "/" && path.hasPrefix(bundlePath + "/")
  }

  private func transfer(_ path: String, to stored: String, copies: Bool) throws(UNError) {
    do {
      // What the name leads to is taken, not the link.
      let source = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      if copies || source != path {
        try FileManager.default.copyItem(atPath: source, toPath: stored)
        if !copies { try FileManager.default.removeItem(atPath: path) }
      } else {
        try FileManager.default.moveItem(atPath: path, toPath: stored)
      }
    } catch {
      throw UNError(
        .attachmentMoveIntoDataStoreFailed,
        "attachment \(path) cannot be moved into the store: \(error.localizedDescription)", cause: error)
    }
  }

  private func putBack(_ moved: [(original: String, stored: String)]) {
    // Where something new stands meanwhile, nothing is touched.
    for (original, stored) in moved { try? FileManager.default.moveItem(atPath: stored, toPath: original) }
  }
}

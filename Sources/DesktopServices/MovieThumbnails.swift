public import DBus
internal import FoundationEssentials
internal import Glibc
public import NotificationBridge
internal import Synchronization

/// Pictures of movies, by whoever makes them on this desktop: what the cache of thumbnails has, the desktop's thumbnail
/// service, and the programs that are installed for it.
///
/// Where a time is asked for, a program that can choose it comes first. Programs get a file of ours to write to; the last
/// pictures are kept there, so that a notification that is shown again needs no program.
public final class MovieThumbnails: MovieThumbnailer {
  /// Where it looks and what it uses.
  public struct Options: Sendable {
    /// The folders of cache and data, and what programs get.
    public var environment: [String: String]
    /// A folder of its own for pictures, by an absolute path; made when it is needed.
    public var folder: String
    /// One attempt may take so long.
    public var timeLimit = Duration.seconds(5)
    /// The connection to the session bus; nil: there is none.
    public var session: @Sendable () async -> BusConnection? = { nil }
    /// What runs programs.
    public var runner: CommandRunner = { command throws(CommandError) in try await ChildProcess.run(command) }

    public init(environment: [String: String], folder: String) {
      self.environment = environment
      self.folder = folder
    }
  }

  private struct State: Sendable {
    /// Paths of pictures by what they show, the one used last behind.
    var pictures: [(of: String, path: String)] = []
    var isReady = false
    var issued = 0
  }

  /// So many pictures are kept.
  private static let limit = 32
  private let options: Options
  private let state = Mutex(State())

  public init(_ options: Options) { self.options = options }

  /// See ``MovieThumbnailer``.
  public nonisolated(nonsending) func thumbnail(
    of file: String, mimeType: String, at seconds: Double?, side: Int
  ) async throws(BridgeError) -> MovieThumbnail {
    var reasons: [String] = []
    let options = options
    let entries = await BlockingWork.result(within: .seconds(2)) {
      ThumbnailerEntry.all(options.environment).filter { $0.mimeTypes.contains(mimeType) }
    }
    let choosing = seconds == nil ? [] : (entries ?? []).filter(\.choosesTime)
    for entry in choosing {
      if let path = await picture(by: entry, file, seconds, side, &reasons) {
        return MovieThumbnail(file: path, isOfTime: true)
      }
    }
    // Without a program that can, the picture of another time is better than none.
    let isOfTime = seconds == nil
    if let path = await cached(file, side) { return MovieThumbnail(file: path, isOfTime: isOfTime) }
    if let path = await pictureByService(file, mimeType, side, &reasons) {
      return MovieThumbnail(file: path, isOfTime: isOfTime)
    }
    for entry in entries ?? [] where !choosing.contains(entry) {
      if let path = await picture(by: entry, file, nil, side, &reasons) {
        return MovieThumbnail(file: path, isOfTime: isOfTime)
      }
    }
    if reasons.isEmpty {
      throw BridgeError(
        .attachmentUnreadable,
        "no thumbnailer for \(mimeType) is installed: install ffmpegthumbnailer, or tumbler with its plug-ins")
    }
    throw BridgeError(.attachmentUnreadable, reasons.joined(separator: "; "))
  }

  /// Takes the pictures away, for the end of the process.
  public func removeEverything() {
    let wasReady = state.withLock { state in
      defer { state = State() }
      return state.isReady
    }
    if wasReady { Self.remove(options.folder) }
  }

  // MARK: Cache and service

  private nonisolated(nonsending) func cached(_ file: String, _ side: Int) async -> String? {
    guard let cache = ThumbnailCache(environment: options.environment) else { return nil }
    return await BlockingWork.result(within: .seconds(2)) { cache.picture(of: file, side: side) }
  }

  private nonisolated(nonsending) func pictureByService(
    _ file: String, _ mimeType: String, _ side: Int, _ reasons: inout [String]
  ) async -> String? {
    guard let connection = await options.session() else { return nil }
    let outcome = await ThumbnailService(connection: connection).make(
      uri: FileURI.text(path: file), mimeType: mimeType, flavor: ThumbnailCache.flavor(for: side),
      within: options.timeLimit)
    switch outcome {
    case .absent: return nil
    case .failed(let reason): reasons.append(reason)
    case .finished:
      if let path = await cached(file, side) { return path }
      reasons.append("the thumbnail service made none")
    }
    return nil
  }

  // MARK: Programs

  private nonisolated(nonsending) func picture(
    by entry: ThumbnailerEntry, _ file: String, _ seconds: Double?, _ side: Int, _ reasons: inout [String]
  ) async -> String? {
    guard let stamp = Self.stamp(file) else {
      reasons.append("\(file.quotedForPeople) cannot be read")
      return nil
    }
    let name = "\(stamp) \(side) \(seconds.map { "\($0)" } ?? "-") \(entry.words[0]) \(file)"
    if let path = kept(name) { return path }
    guard let output = newPath() else {
      reasons.append("no picture can be written to \(options.folder.quotedForPeople)")
      return nil
    }
    let words = entry.command(
      file: file, uri: FileURI.text(path: file), output: output, side: side, seconds: seconds)
    let program = words[0].quotedForPeople
    let command = Command(
      words[0], Array(words.dropFirst()), environment: options.environment, workingDirectory: "/",
      timeLimit: options.timeLimit)
    do throws(CommandError) {
      switch try await options.runner(command).ending {
      case .exited(0) where SmallFile.isRegular(output):
        keep(name, output)
        return output
      case .exited(0): reasons.append("\(program) wrote no picture")
      case .exited(let status): reasons.append("\(program) ended with \(status)")
      case .signalled(let number): reasons.append("\(program) was ended by signal \(number)")
      case .timedOut: reasons.append("\(program) did not end in time and was ended")
      }
    } catch {
      reasons.append(error.message)
    }
    unsafe unlink(output)
    return nil
  }

  /// Tells one state of a file from another.
  private static func stamp(_ file: String) -> String? {
    var status = stat()
    guard unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return "\(status.st_dev).\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  private func kept(_ name: String) -> String? {
    state.withLock { state in
      guard let index = state.pictures.firstIndex(where: { $0.of == name }) else { return nil }
      let picture = state.pictures.remove(at: index)
      guard SmallFile.isRegular(picture.path) else { return nil }
      state.pictures.append(picture)
      return picture.path
    }
  }

  private func keep(_ name: String, _ path: String) {
    let gone: [String] = state.withLock { state in
      state.pictures.append((name, path))
      let count = max(0, state.pictures.count - Self.limit)
      defer { state.pictures.removeFirst(count) }
      return state.pictures.prefix(count).map(\.path)
    }
    for path in gone { unsafe unlink(path) }
  }

  /// A file that is not there yet, in the folder, which is emptied of what a former life left.
  private func newPath() -> String? {
    state.withLock { state in
      if !state.isReady {
        Self.remove(options.folder)
        guard unsafe mkdir(options.folder, 0o700) == 0 else { return nil }
        state.isReady = true
      }
      state.issued += 1
      return "\(options.folder)/\(state.issued).png"
    }
  }

  private static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }
}

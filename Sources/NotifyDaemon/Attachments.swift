internal import DBus
internal import DesktopServices
internal import FoundationEssentials
internal import NotificationBridge

extension Daemon {
  /// Pictures of movies, made by programs that the user manager starts where there is one: the bridge itself may write
  /// to its own folder alone, and they need not run under its other limits.
  static func thumbnails(
    folder: String, _ environment: [String: String], _ session: BusConnection
  ) -> MovieThumbnails {
    var options = MovieThumbnails.Options(environment: environment, folder: folder)
    options.session = { session }
    let units = TransientUnits(session: session)
    options.runner = { command throws(CommandError) in
      guard let unit = try? UnitName("notify-bridge-thumbnailer-\(UUID().uuidString.lowercased()).service") else {
        return try await ChildProcess.run(command)
      }
      do throws(CommandError) {
        let result = try await units.run(command, as: unit, description: "notify-bridge: picture of a movie")
        await units.remove(unit)
        return result
      } catch  where error.code == .unavailable {
        return try await ChildProcess.run(command)
      }
    }
    return MovieThumbnails(options)
  }

  /// Plays and opens attachments.
  static func opener(
    _ environment: [String: String], _ session: BusConnection, _ executor: BusExecutor, _ log: any BridgeLog
  ) -> FileOpener {
    var options = FileOpener.Options(environment: environment, log: log)
    options.session = { session }
    options.executor = executor
    return FileOpener(options)
  }
}

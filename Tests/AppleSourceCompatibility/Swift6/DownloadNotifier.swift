import UserNotifications

/// Imports UserNotifications alone and uses all of Foundation through it.
struct DownloadNotifier {
  struct Item: Codable {
    var name: String
    var bytes: Int
    var finished: Date
  }

  enum Failure: LocalizedError {
    case noThumbnail(Int)
    var errorDescription: String? {
      switch self {
      case .noThumbnail(let code): return "no thumbnail (\(code))"
      }
    }
  }

  let folder: URL

  func save(_ thumbnail: Data, named name: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try thumbnail.write(to: url, options: .atomic)
    return url
  }

  func notify(_ item: Item, thumbnail: URL?) async throws {
    let content = UNMutableNotificationContent()
    content.title = item.name
    content.subtitle = "Download finished"
    content.body = String(format: "%.1f MB", Double(item.bytes) / 1_000_000)
    content.userInfo = ["item": try JSONEncoder().encode(item)]
    if let thumbnail {
      do {
        content.attachments = [try UNNotificationAttachment(identifier: "thumbnail", url: thumbnail, options: nil)]
      } catch let error as UNError {
        throw Failure.noThumbnail(error.errorCode)
      }
    }
    let request = UNNotificationRequest(identifier: "download-" + item.name, content: content, trigger: nil)
    try await UNUserNotificationCenter.current().add(request)
  }

  static func item(of notification: UNNotification) -> Item? {
    guard let data = notification.request.content.userInfo["item"] as? Data else { return nil }
    return try? JSONDecoder().decode(Item.self, from: data)
  }

  /// What is still in the list, newest first.
  static func finished() async -> [Item] {
    await UNUserNotificationCenter.current().deliveredNotifications()
      .sorted { $0.date > $1.date }
      .compactMap(item)
  }
}

internal import Glibc

/// The file of a handler, in the user's folder or one of the system's.
public struct HandlerFile: Sendable, Hashable {
  /// The file's name without `.handler`.
  public let name: String
  public let path: String
  /// One of the same name in a more important folder counts instead.
  public let isOverridden: Bool

  static let ending = ".handler"

  /// The files of these folders by name, which is the order in which handlers are asked: the first that a response fits
  /// takes it. Of one name the file that counts comes first.
  /// - Parameter folders: the most important first.
  public static func all(in folders: [String]) -> [HandlerFile] {
    var places: [String: [String]] = [:]
    for folder in folders {
      for name in names(in: folder) where name.hasSuffix(ending) && !name.hasPrefix(".") {
        places[String(name.dropLast(ending.count)), default: []].append(folder + "/" + name)
      }
    }
    return places.sorted { $0.key < $1.key }.flatMap { name, paths in
      paths.enumerated().map { HandlerFile(name: name, path: $1, isOverridden: $0 > 0) }
    }
  }

  /// The handler in it; nil when it turns the handler off.
  public func handler() throws(HandlerError) -> Handler? {
    let text: String
    switch SmallFile.contents(path) {
    case .success(let content): text = content
    case .failure(.missing): throw HandlerError(file: path, line: nil, message: "it has gone")
    case .failure(.unreadable): throw HandlerError(file: path, line: nil, message: "it cannot be read")
    case .failure(.malformed):
      throw HandlerError(file: path, line: nil, message: "it is no regular file, or is over 64 KB")
    }
    do throws(HandlerText.Fault) {
      return try Handler(text: text, name: name)
    } catch {
      throw HandlerError(file: path, line: error.line, message: error.message)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }
}

internal import DesktopServices
internal import Glibc
internal import NotificationBridge

/// Puts extensions where the bridge looks for them, and takes them away.
public struct BundleInstaller: Sendable {
  /// Why it was not done.
  public struct Fault: Error, Sendable, Hashable {
    /// A sentence that names the file and the remedy.
    public let message: String
    /// There is one of that name already.
    public var isThere = false
    /// There is none of that name.
    public var isMissing = false
  }

  private let folders: ExtensionFolders

  public init(_ folders: ExtensionFolders) { self.folders = folders }

  /// Copies a bundle into the user's folder: whoever looks meanwhile finds all of it, or what was there before.
  /// - Parameters:
  ///   - bundle: the folder `NAME.appex`, checked before.
  ///   - replaces: takes the place of the one of that name.
  /// - Returns: where it is now.
  public func install(
    _ bundle: ExtensionBundle, for application: String, replaces: Bool
  ) throws(Fault) -> String {
    let folder = folders.user(application)
    let target = folder + "/" + bundle.name + ExtensionBundle.ending
    if !replaces, unsafe access(target, F_OK) == 0 { throw isThere(target) }
    try make(folder)
    let workshop = try workshop(in: folder)
    defer { try? FolderTree.remove(workshop) }
    let copy = workshop + "/" + bundle.name + ExtensionBundle.ending
    do throws(FolderTree.Fault) {
      try FolderTree.copy(bundle.path, to: copy)
      // A folder that has something in it is not replaced by this.
      if unsafe rename(copy, target) == 0 { return target }
      guard errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR else {
        throw FolderTree.Fault(message: "\(target.quotedForPeople): \(unsafe String(cString: strerror(errno)))")
      }
      if replaces {
        try FolderTree.exchange(copy, target)
        return target
      }
    } catch {
      throw Fault(message: "it cannot be copied: \(error.message)")
    }
    throw isThere(target)
  }

  /// Takes a bundle out of the user's folder.
  public func remove(_ name: String, of application: String) throws(Fault) {
    let folder = folders.user(application)
    let target = folder + "/" + name + ExtensionBundle.ending
    guard unsafe access(target, F_OK) == 0 else {
      throw Fault(
        message: "there is no extension \(name.quotedForPeople) in \(folder.quotedForPeople)", isMissing: true)
    }
    let workshop = try workshop(in: folder)
    defer { try? FolderTree.remove(workshop) }
    // Nobody sees a part of it: first it goes, then its files.
    guard unsafe rename(target, workshop + "/old") == 0 else {
      throw Fault(
        message: "\(target.quotedForPeople) cannot be removed: \(unsafe String(cString: strerror(errno)))")
    }
  }

  private func isThere(_ target: String) -> Fault {
    Fault(message: "there is \(target.quotedForPeople) already: --replace takes its place", isThere: true)
  }

  private func make(_ folder: String) throws(Fault) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      if unsafe mkdir(path, 0o700) != 0, errno != EEXIST, unsafe access(path, F_OK) != 0 {
        throw Fault(
          message: "the folder \(path.quotedForPeople) cannot be made: \(unsafe String(cString: strerror(errno)))")
      }
    }
  }

  private static let workshopName = ".new."

  /// A folder of our own in there, whose name nobody looks at.
  private func workshop(in folder: String) throws(Fault) -> String {
    removeOldWorkshops(in: folder)
    var template = Array((folder + "/\(Self.workshopName)XXXXXX").utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    guard isMade else {
      throw Fault(
        message: "\(folder.quotedForPeople) cannot be written to: \(unsafe String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Those of installations that were killed, which nobody else would ever remove. Nobody works in one for a day.
  private func removeOldWorkshops(in folder: String) {
    for name in ExtensionFolders.names(in: folder, hidden: true) where name.hasPrefix(Self.workshopName) {
      var status = stat()
      let path = folder + "/" + name
      guard unsafe lstat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - 86_400 else { continue }
      try? FolderTree.remove(path)
    }
  }
}

import CGLib
import FreedesktopNotifications
import Glibc
import NotificationBridge

/// Makes pixels of a picture file's bytes with gdk-pixbuf.
enum PictureLoader {
  /// Why there are no pixels.
  enum Failure: Error, Sendable {
    /// It has more pixels than were allowed; none were decoded.
    case tooManyPixels(PixelSize)
    /// The reason is for people; GLib's own words are the cause.
    case corrupt(String, cause: GLibError?)
  }

  /// One frame, upright, its `clip` scaled down so that neither side is over `maximumSide`.
  /// - Parameters:
  ///   - bytes: a whole PNG, JPEG or GIF file. Other formats are not tried, whatever gdk-pixbuf could read: nothing
  ///     else may be an attachment, and their readers are less looked after.
  ///   - pixelLimit: so many pixels may be decoded at most.
  static func load(
    _ bytes: [UInt8], moment: AnimationMoment?, clip: AttachmentRecord.Rect?, maximumSide: Int, pixelLimit: Int
  ) throws(Failure) -> ImageData {
    guard let format = PictureFormat(bytes) else { throw .corrupt("it is no PNG, JPEG or GIF picture", cause: nil) }
    let picture =
      switch format {
      case .gif: try gif(bytes, moment, pixelLimit: pixelLimit)
      case .png, .jpeg:
        try picture(
          bytes, format,
          Observer(pixelLimit: pixelLimit, scalesWhileDecoding: format == .jpeg, clip: clip, maximumSide: maximumSide))
      }
    guard let upright = picture.upright() else { throw .outOfMemory }
    let part = upright.size.part(clip)
    guard let clipped = upright.part(part), let scaled = clipped.scaled(to: part.size.fitting(maximumSide)),
      // CMYK pictures come with an opaque alpha channel, from a format that has none.
      let image = scaled.image(keepsAlpha: format != .jpeg)
    else { throw .outOfMemory }
    return image
  }

  /// One frame of a GIF file.
  ///
  /// Not by way of a loader: gdk-pixbuf's reader of GIF files moves what it was given and has not used at each step, and
  /// draws the first frame anew with each piece that it is given. Reading a file it does neither, but takes a time that
  /// grows with the square of the number of frames. Files of some megabytes took it minutes; so it never gets more of
  /// them than are needed, and of those not very many.
  private static func gif(
    _ bytes: [UInt8], _ moment: AnimationMoment?, pixelLimit: Int
  ) throws(Failure) -> Pixbuf {
    guard let layout = GIFLayout(bytes) else { throw .incomplete }
    let number = layout.number(of: moment)
    guard number < frameLimit else { throw .corrupt("its frame \(number) comes after too many others", cause: nil) }
    let size = layout.size(upTo: number)
    // Each frame before it is decoded as well.
    let all = PixelSize(width: size.width, height: size.height * (number + 1))
    guard all.area <= pixelLimit else { throw .tooManyPixels(all) }
    guard let file = MemoryFile(layout.file(of: bytes, upTo: number)) else { throw .outOfMemory }
    do throws(GLibError) {
      if number > 0 { return try lastFrame(file.path) }
      return unsafe try GLibError.catching { unsafe Pixbuf(adopting: gdk_pixbuf_new_from_file(file.path, $0)) }
    } catch { throw .corrupt("its content is damaged", cause: error) }
  }

  /// What an animation shows in the end.
  private static func lastFrame(_ path: String) throws(GLibError) -> Pixbuf {
    let animation = unsafe try GLibError.catching {
      unsafe Animation(adopting: gdk_pixbuf_animation_new_from_file(path, $0))
    }
    guard let picture = animation.lastFrame() else { throw GLibError(message: "no picture was found") }
    return picture
  }

  /// No frame after so many is shown.
  private static let frameLimit = 1000

  /// The picture of a PNG or JPEG file.
  private static func picture(
    _ bytes: [UInt8], _ format: PictureFormat, _ observer: Observer
  ) throws(Failure) -> Pixbuf {
    guard let bytes = format.essentials(of: bytes) else { throw .incomplete }
    let picture: Pixbuf
    do throws(GLibError) {
      picture = try PixbufLoader(format: format).load(bytes, observer: observer)
    } catch {
      if let tooLarge = observer.tooLarge { throw .tooManyPixels(tooLarge) }
      throw .corrupt("its content is damaged", cause: error)
    }
    guard observer.rows >= picture.size.height else { throw .incomplete }
    return picture
  }

  /// Told by a loader what it finds; tells it how large to decode. Used by one call of ``PixbufLoader/load`` alone.
  final class Observer {
    private let pixelLimit: Int
    private let scalesWhileDecoding: Bool
    private let clip: AttachmentRecord.Rect?
    private let maximumSide: Int
    /// Set when the picture has more pixels than it may.
    private(set) var tooLarge: PixelSize?
    /// So many rows, counted from the top, have been decoded.
    var rows = 0

    init(pixelLimit: Int, scalesWhileDecoding: Bool, clip: AttachmentRecord.Rect?, maximumSide: Int) {
      self.pixelLimit = pixelLimit
      self.scalesWhileDecoding = scalesWhileDecoding
      self.clip = clip
      self.maximumSide = maximumSide
    }

    /// The size in which to decode a picture; nil: its own. With no pixels at all the loader gives up before it asks
    /// for memory.
    func decodingSize(of size: PixelSize) -> PixelSize? {
      guard size.area <= pixelLimit else {
        tooLarge = size
        return PixelSize(width: 0, height: 0)
      }
      guard scalesWhileDecoding else { return nil }
      // libjpeg can leave out detail in these steps, at a fraction of the work. What is left is still at least as
      // large as wanted. Whether the clip's sides change places, as they do in a picture that lies on its side, is
      // known only later.
      let sides = [size, PixelSize(width: size.height, height: size.width)].map { $0.part(clip).size }
      let longest = sides.map { max($0.width, $0.height) }.min() ?? 1
      guard let step = [8, 4, 2].first(where: { longest / $0 >= maximumSide }) else { return nil }
      return PixelSize(width: (size.width + step - 1) / step, height: (size.height + step - 1) / step)
    }
  }
}

extension PictureLoader.Failure {
  fileprivate static let incomplete = Self.corrupt("it ends before its picture does", cause: nil)
  fileprivate static let outOfMemory = Self.corrupt("there is not enough memory for it", cause: nil)
}

/// Owns one `GdkPixbufLoader`; it is released when this ends, and ``load`` closes it.
@safe private struct PixbufLoader: ~Copyable {
  private let pointer: UnsafeMutablePointer<GdkPixbufLoader>

  init(format: PictureFormat) throws(GLibError) {
    unsafe pointer = try GLibError.catching { unsafe gdk_pixbuf_loader_new_with_type(format.rawValue, $0) }
  }

  deinit { unsafe g_object_unref(pointer) }

  /// The picture in a whole file.
  consuming func load(_ bytes: [UInt8], observer: PictureLoader.Observer) throws(GLibError) -> Pixbuf {
    let context = unsafe Unmanaged.passUnretained(observer).toOpaque()
    unsafe cglib_on_size_prepared(
      pointer,
      { loader, width, height, context in
        guard let loader = unsafe loader, let context = unsafe context else { return }
        let observer = unsafe Unmanaged<PictureLoader.Observer>.fromOpaque(context).takeUnretainedValue()
        if let size = observer.decodingSize(of: PixelSize(width: Int(width), height: Int(height))) {
          unsafe gdk_pixbuf_loader_set_size(loader, Int32(size.width), Int32(size.height))
        }
      }, context)
    unsafe cglib_on_area_updated(
      pointer,
      { _, _, y, _, height, context in
        guard let context = unsafe context else { return }
        let observer = unsafe Unmanaged<PictureLoader.Observer>.fromOpaque(context).takeUnretainedValue()
        observer.rows = max(observer.rows, Int(y) + Int(height))
      }, context)
    defer { extendLifetime(observer) }
    var failure: GLibError?
    do throws(GLibError) {
      _ = unsafe try GLibError.catching { error in
        unsafe bytes.withUnsafeBufferPointer { buffer in
          unsafe gdk_pixbuf_loader_write(pointer, buffer.baseAddress, gsize(buffer.count), error) != 0 ? true : nil
        }
      }
    } catch { failure = error }
    do throws(GLibError) {
      // A loader must be closed before it is released, whatever happened to it.
      _ = unsafe try GLibError.catching { unsafe gdk_pixbuf_loader_close(pointer, $0) != 0 ? true : nil }
    } catch { failure = failure ?? error }
    if let failure { throw failure }
    guard let picture = unsafe Pixbuf(retaining: gdk_pixbuf_loader_get_pixbuf(pointer)) else {
      throw GLibError(message: "no picture was found")
    }
    return picture
  }
}

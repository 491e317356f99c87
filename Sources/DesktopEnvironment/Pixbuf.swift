import CGLib
import FreedesktopNotifications
import Glibc

/// Owns one `GdkPixbufAnimation`.
@safe struct Animation: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes over a reference; nil for NULL.
  init?(adopting pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// What it shows in the end, when it plays once and for less than a day. A copy: the animation's own is drawn on.
  func lastFrame() -> Pixbuf? { unsafe Pixbuf(adopting: cglib_last_frame(pointer)) }
}

/// Owns one reference to a `GdkPixbuf`.
@safe struct Pixbuf: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes over a reference; nil for NULL.
  init?(adopting pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  /// Adds a reference; nil for NULL.
  init?(retaining pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe g_object_ref(UnsafeMutableRawPointer(pointer))
    unsafe self.pointer = pointer
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  var size: PixelSize {
    unsafe PixelSize(width: Int(gdk_pixbuf_get_width(pointer)), height: Int(gdk_pixbuf_get_height(pointer)))
  }

  /// Turned as its camera wrote down (EXIF); nil when memory is short.
  consuming func upright() -> Pixbuf? {
    unsafe Pixbuf(adopting: gdk_pixbuf_apply_embedded_orientation(pointer))
  }

  /// A view of a part, which is inside; the pixels stay where they are.
  consuming func part(_ rect: PixelRect) -> Pixbuf? {
    if rect.size == size { return self }
    return unsafe Pixbuf(
      adopting: gdk_pixbuf_new_subpixbuf(
        pointer, Int32(rect.x), Int32(rect.y), Int32(rect.size.width), Int32(rect.size.height)))
  }

  /// Of another size, each pixel the mean of those it stands for; nil when memory is short.
  consuming func scaled(to size: PixelSize) -> Pixbuf? {
    if size == self.size { return self }
    return unsafe Pixbuf(
      adopting: gdk_pixbuf_scale_simple(
        pointer, Int32(size.width), Int32(size.height), GDK_INTERP_BILINEAR))
  }

  /// A copy with rows that follow each other without padding.
  /// - Parameter keepsAlpha: false leaves out an alpha channel that says nothing.
  func image(keepsAlpha: Bool) -> ImageData? {
    let size = size
    let channels = Int(unsafe gdk_pixbuf_get_n_channels(pointer))
    let hasAlpha = unsafe gdk_pixbuf_get_has_alpha(pointer) != 0
    let stride = Int(unsafe gdk_pixbuf_get_rowstride(pointer))
    guard unsafe gdk_pixbuf_get_bits_per_sample(pointer) == 8, channels == (hasAlpha ? 4 : 3),
      let source = unsafe gdk_pixbuf_read_pixels(pointer)
    else { return nil }
    let kept = keepsAlpha ? channels : 3
    let length = size.width * kept * size.height
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      guard var target = buffer.baseAddress else { return }
      for row in 0..<size.height {
        var place = unsafe source + row * stride
        if kept == channels {
          unsafe memcpy(target, place, size.width * kept)
          unsafe target += size.width * kept
          continue
        }
        for _ in 0..<size.width {
          unsafe memcpy(target, place, kept)
          unsafe target += kept
          unsafe place += channels
        }
      }
      count = length
    }
    return ImageData(width: size.width, height: size.height, hasAlpha: kept == 4, pixels: pixels)
  }
}

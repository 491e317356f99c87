import DBus
import FreedesktopNotifications
import Testing

/// The specification's values: what is sent, and what of a peer's is believed.
@Suite struct ValueTests {
  /// An `image-data` struct as a peer may send it.
  private func picture(
    _ width: Int32, _ height: Int32, stride: Int32, alpha: Bool, bits: Int32 = 8, channels: Int32, bytes: Int
  ) -> Value {
    .structure([
      .int32(width), .int32(height), .int32(stride), .boolean(alpha), .int32(bits), .int32(channels),
      .bytes([UInt8](repeating: 7, count: bytes)),
    ])
  }

  @Test("A picture comes back as it was sent; padded rows and a short last row are read")
  func pictures() throws {
    let image = try #require(ImageData(width: 2, height: 2, hasAlpha: true, pixels: Array(0..<16)))
    #expect(ImageData(image.value) == image)
    #expect(image.value.signature == ImageData.signature)
    let padded = try #require(ImageData(picture(1, 2, stride: 4, alpha: false, channels: 3, bytes: 7)))
    #expect(padded.pixels.count == 6)
    #expect(padded.rowStride == 3)
  }

  @Test(
    "A picture whose numbers do not fit together is none",
    arguments: [
      (2, 2, 6, false, 8, 3, 11), (2, 2, 5, false, 8, 3, 12), (2, 2, 8, false, 8, 4, 16), (2, 2, 6, true, 8, 3, 12),
      (2, 2, 6, false, 16, 3, 12), (0, 2, 6, false, 8, 3, 12), (-1, 2, 6, false, 8, 3, 12),
      (32768, 1, 98304, false, 8, 3, 98304),
      (2, 2, -6, false, 8, 3, 12), (Int32.max, Int32.max, Int32.max, true, 8, 4, 16),
    ] as [(Int32, Int32, Int32, Bool, Int32, Int32, Int)])
  func hostilePictures(
    width: Int32, height: Int32, stride: Int32, alpha: Bool, bits: Int32, channels: Int32, bytes: Int
  ) {
    let value = picture(width, height, stride: stride, alpha: alpha, bits: bits, channels: channels, bytes: bytes)
    #expect(ImageData(value) == nil)
    #expect(ImageData(.structure([value])) == nil)
    #expect(ImageData(.string("png")) == nil)
  }

  @Test("A Notify is read leniently, but only with its own signature")
  func received() throws {
    let sent = Notification(
      appName: "a", replacesID: 3, appIcon: "i", summary: "s", body: "b",
      actions: [Action(key: "yes", label: "Yes")],
      hints: [.urgency(.critical), .progress(140), .resident(true)], expireTimeout: .after(milliseconds: 5))
    let received = try #require(ReceivedNotification(sent.arguments, sender: ":1.2"))
    #expect(received.actions == sent.actions)
    #expect(received.urgency == .critical)
    #expect(received.progress == 100)
    #expect(received.isResident)
    #expect(received.expireTimeout == .after(milliseconds: 5))
    var odd = sent.arguments
    odd[5] = .strings(["yes", "Yes", "left over"])
    odd[6] = .properties([("urgency", .int32(9)), ("image-data", .string("no picture"))])
    odd[7] = .int32(-5)
    let lenient = try #require(ReceivedNotification(odd, sender: nil))
    #expect(lenient.actions.count == 1)
    #expect(lenient.urgency == .normal)
    #expect(lenient.imageData == nil)
    #expect(lenient.expireTimeout == .serverDefault)
    #expect(ReceivedNotification(Array(odd.dropLast()), sender: nil) == nil)
    odd[1] = .int32(3)
    #expect(ReceivedNotification(odd, sender: nil) == nil)
  }

  @Test(
    "Each hint has its one name and type on the wire",
    arguments: [
      (Hint.actionIcons(true), "action-icons", "b"), (.category("im"), "category", "s"),
      (.desktopEntry("a"), "desktop-entry", "s"),
      (.imagePath("p", legacy: false), "image-path", "s"), (.imagePath("p", legacy: true), "image_path", "s"),
      (.resident(true), "resident", "b"), (.soundFile("f"), "sound-file", "s"), (.soundName("n"), "sound-name", "s"),
      (.suppressSound(true), "suppress-sound", "b"), (.transient(true), "transient", "b"),
      (.urgency(.low), "urgency", "y"),
      (.progress(4), "value", "i"), (.senderPID(4), "sender-pid", "x"),
    ] as [(Hint, String, Signature)])
  func hints(hint: Hint, name: String, type: Signature) {
    #expect(hint.name == name)
    #expect(hint.value.signature == type)
  }

  @Test(
    "Escaping leaves no markup and doubles none that is no markup",
    arguments: [
      ("a", "a"), ("<b>", "&lt;b&gt;"), ("&amp;", "&amp;amp;"), ("\"'", "\"'"), ("é<👩‍👧>", "é&lt;👩‍👧&gt;"),
    ])
  func escaping(text: String, escaped: String) { #expect(Markup.escape(text) == escaped) }
}

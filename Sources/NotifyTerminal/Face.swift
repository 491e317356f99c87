/// What the user sees and types on: drawn or plain.
protocol Face {
  /// Begins; the terminal is ours from now on.
  mutating func begin()
  /// Takes bytes that came in.
  mutating func take(_ bytes: [UInt8], _ model: inout TerminalModel, now: Duration)
  /// Shows what happened and what is there now.
  /// - Returns: false when there is nobody to show it to any more.
  mutating func present(_ effects: [TerminalModel.Effect], _ model: TerminalModel, now: Duration) -> Bool
  /// When ``dueNow(_:now:)`` must be called; nil while nothing is due.
  var deadline: Duration? { get }
  /// Does what is due.
  mutating func dueNow(_ model: inout TerminalModel, now: Duration)
  /// The terminal's size may have changed.
  mutating func redraw()
  /// We were stopped and go on; the terminal may be in any mode.
  mutating func resume()
  /// Whether the end of input, a terminal that was closed, ends us too.
  var endsWithInput: Bool { get }
  /// Gives the terminal back.
  mutating func end()
}

/// Lines of text out, lines of text in.
struct PlainFace: Face {
  let device: TerminalDevice
  private var line: [UInt8] = []
  private var report = PlainReport()

  /// The longest line that is read, in bytes.
  static let lineLimit = 64 << 10

  init(device: TerminalDevice) { self.device = device }

  var deadline: Duration? { nil }
  var endsWithInput: Bool { false }
  mutating func begin() { _ = device.write("ready org.freedesktop.Notifications\n") }
  mutating func dueNow(_ model: inout TerminalModel, now: Duration) {}
  mutating func redraw() {}
  mutating func resume() {}
  mutating func end() {}

  mutating func take(_ bytes: [UInt8], _ model: inout TerminalModel, now: Duration) {
    for byte in bytes {
      if byte != UInt8(ascii: "\n") {
        if line.count < Self.lineLimit { line.append(byte) }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line = []
      do throws(PlainCommand.Fault) {
        guard let command = try PlainCommand(text) else { continue }
        let more = model.perform(command, now: now)
        report.output += more.output
        report.remarks += more.remarks
      } catch {
        report.remarks.append(error.text)
      }
    }
  }

  mutating func present(_ effects: [TerminalModel.Effect], _ model: TerminalModel, now: Duration) -> Bool {
    for effect in effects {
      let more = PlainReport(effect)
      report.output += more.output
      report.remarks += more.remarks
    }
    defer { report = PlainReport() }
    if !report.remarks.isEmpty {
      device.remark(report.remarks.map { "notify-bridge: \($0)\n" }.joined())
    }
    return report.output.isEmpty || device.write(report.output.map { $0 + "\n" }.joined())
  }
}

/// Cards on the whole screen.
struct DrawnFace: Face {
  let device: TerminalDevice
  private var painter: Painter
  private var screen = Screen()
  private var decoder = KeyDecoder()
  private var size = ScreenSize(columns: 80, rows: 24)
  private var escapeAt: Duration?
  private var paintAt: Duration?
  private var paintedAt: Duration?
  /// What is printed when the screen is given back; kept for `--once` alone.
  private var farewell: [String]?

  /// How long a lone escape byte waits for the rest of a sequence.
  static let escapeTime = Duration.milliseconds(50)
  /// The shortest time between two paintings, however much happens.
  static let paintingTime = Duration.milliseconds(16)

  init(device: TerminalDevice, depth: ColourDepth, saysFarewell: Bool) {
    self.device = device
    painter = Painter(depth: depth)
    farewell = saysFarewell ? [] : nil
  }

  var endsWithInput: Bool { true }
  var deadline: Duration? { [escapeAt, paintAt].compactMap(\.self).min() }

  mutating func begin() {
    device.enterScreen()
    size = device.size ?? size
  }

  mutating func take(_ bytes: [UInt8], _ model: inout TerminalModel, now: Duration) {
    press(decoder.feed(bytes), &model, now: now)
    escapeAt = decoder.isWaiting ? now + Self.escapeTime : nil
  }

  private mutating func press(_ keys: [Key], _ model: inout TerminalModel, now: Duration) {
    for key in keys {
      if key == .control("l") { redraw() } else { model.handle(key, now: now) }
    }
  }

  mutating func dueNow(_ model: inout TerminalModel, now: Duration) {
    if let escapeAt, escapeAt <= now {
      self.escapeAt = nil
      press(decoder.flush(), &model, now: now)
    }
  }

  mutating func present(_ effects: [TerminalModel.Effect], _ model: TerminalModel, now: Duration) -> Bool {
    for effect in effects {
      if case .shown = effect { continue }
      farewell?.append(contentsOf: PlainReport(effect).output)
    }
    if let paintedAt, now < paintedAt + Self.paintingTime {
      paintAt = paintedAt + Self.paintingTime
      return true
    }
    let output = painter.paint(screen.compose(model, size: size), size: size)
    paintAt = nil
    if output.isEmpty { return true }
    paintedAt = now
    return device.write(output)
  }

  mutating func redraw() {
    size = device.size ?? size
    painter.forget()
  }

  mutating func resume() {
    device.enterScreen()
    redraw()
  }

  mutating func end() {
    device.leaveScreen()
    if let farewell, !farewell.isEmpty { _ = device.write(farewell.map { $0 + "\n" }.joined()) }
  }
}

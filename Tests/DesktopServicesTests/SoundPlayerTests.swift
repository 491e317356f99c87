import DesktopServices
import Foundation
import TestSupport
import Testing

@Suite("Playing sounds", .timeLimit(.minutes(2)))
struct SoundPlayerTests {
  /// A home with a theme, and a folder of programs that record how they are called.
  private struct Stage {
    let home: TemporaryHome
    var options: SoundPlayer.Options

    init(_ programs: [String: String]) throws {
      home = try TemporaryHome()
      try home.write(
        "[Sound Theme]\nDirectories=stereo\n[stereo]\nOutputProfile=stereo\n",
        to: "data/sounds/freedesktop/index.theme")
      for name in ["message.oga", "ding.wav", "quiet.disabled"] {
        try home.write("", to: "data/sounds/freedesktop/stereo/\(name)")
      }
      for (name, end) in programs {
        try home.write(
          "#!/bin/sh\n{ printf '%s' \(name); printf ' %s' \"$@\"; echo; } >> \"$RECORD\"\n\(end)\n", to: "bin/\(name)",
          permissions: 0o700)
      }
      var environment = home.environment
      environment["PATH"] = "\(home.path)/bin"
      environment["RECORD"] = "\(home.path)/record"
      environment["XDG_DATA_DIRS"] = "/nowhere"
      options = SoundPlayer.Options(environment: environment)
      options.library = nil
    }

    func play(_ sound: Sound, volume: Double = 1) async -> SoundOutcome {
      await SoundPlayer(options).play(sound, for: "org.example.App", volume: volume)
    }

    var record: [String] { ((try? home.read("record")) ?? "").split(separator: "\n").map(String.init) }
    func path(_ name: String) -> String { "\(home.path)/data/sounds/freedesktop/stereo/\(name)" }
  }

  @Test("C053: a sound of the theme is played once, by the first player that is there, with its volume")
  func first() async throws {
    var stage = try Stage(["paplay": "", "pw-play": "", "aplay": "", "canberra-gtk-play": ""])
    #expect(await stage.play(.named("message-new-email"), volume: 0.5) == .played)
    #expect(stage.record == ["pw-play --media-role=Notification --volume=0.500 \(stage.path("message.oga"))"])
    stage = try Stage(["paplay": "", "canberra-gtk-play": ""])
    #expect(await stage.play(.named("message"), volume: 0.125) == .played)
    #expect(stage.record == ["paplay --property=media.role=event --volume=32768 \(stage.path("message.oga"))"])
    stage = try Stage(["canberra-gtk-play": ""])
    #expect(await stage.play(.named("message"), volume: 0.5) == .played)
    #expect(stage.record == ["canberra-gtk-play --volume=-6.021 --file=\(stage.path("message.oga"))"])
  }

  @Test("aplay is for wav alone")
  func wave() async throws {
    let stage = try Stage(["aplay": ""])
    #expect(await stage.play(.named("message")) == .noPlayer)
    #expect(await stage.play(.file(stage.path("ding.wav"))) == .played)
    #expect(stage.record == ["aplay --quiet \(stage.path("ding.wav"))"])
  }

  @Test("A player that fails is followed by the next; when all fail, each says why")
  func failing() async throws {
    var stage = try Stage(["pw-play": "exit 1", "paplay": ""])
    #expect(await stage.play(.named("message")) == .played)
    #expect(stage.record.count == 2)
    stage = try Stage(["pw-play": "exit 1", "paplay": "kill -9 $$"])
    #expect(await stage.play(.named("message")) == .failed("pw-play ended with 1; paplay was ended by signal 9"))
  }

  @Test("A player that hangs is ended, and no other is tried")
  func hanging() async throws {
    var stage = try Stage(["pw-play": "exec /bin/sleep 60", "paplay": ""])
    stage.options.timeLimit = .milliseconds(200)
    guard case .failed = await stage.play(.named("message")) else {
      Issue.record("it did not fail")
      return
    }
    #expect(stage.record.count == 1)
  }

  @Test("Silence, missing sounds and odd volumes start nothing")
  func nothing() async throws {
    let stage = try Stage(["pw-play": ""])
    #expect(await stage.play(.named("quiet")) == .silent)
    #expect(await stage.play(.named("message"), volume: 0) == .silent)
    #expect(await stage.play(.named("message"), volume: -1) == .silent)
    #expect(await stage.play(.named("message"), volume: .nan) == .silent)
    #expect(await stage.play(.named("unknown")) == .missing)
    #expect(await stage.play(.file("/nowhere/a.oga")) == .missing)
    #expect(await stage.play(.file("relative.oga")) == .missing)
    #expect(await stage.play(.file(stage.home.path)) == .missing)
    #expect(stage.record.isEmpty)
    #expect(await stage.play(.named("message"), volume: .infinity) == .played)
    #expect(stage.record.first?.contains("--volume=1.000") == true)
  }

  @Test("Without any player nothing can play")
  func noPlayer() async throws { #expect(try await Stage([:]).play(.named("message")) == .noPlayer) }

  // MARK: The library

  /// A library with libcanberra's functions that writes what it is asked for.
  private func library(_ home: TemporaryHome, result: Int = 0, callback: String = "cb(c, id, 0, u);") async throws
    -> String
  {
    let source = try home.write(
      """
      #include <stdint.h>
      #include <stdio.h>
      #include <stdlib.h>
      typedef void (*finish)(void *c, uint32_t id, int error, void *u);
      static void line(const char *a, const char *b) {
        FILE *f = fopen("\(home.path)/canberra", "a");
        fprintf(f, "%s=%s\\n", a, b);
        fclose(f);
      }
      int ca_context_create(void **c) { *c = malloc(1); return 0; }
      int ca_context_destroy(void *c) { line("context", "destroyed"); free(c); return 0; }
      int ca_proplist_create(void **p) { *p = malloc(1); return 0; }
      int ca_proplist_destroy(void *p) { free(p); return 0; }
      int ca_proplist_sets(void *p, const char *k, const char *v) { line(k, v); return 0; }
      int ca_context_play_full(void *c, uint32_t id, void *p, finish cb, void *u) { \(callback) return \(result); }
      int ca_context_cancel(void *c, uint32_t id) { line("cancel", "1"); return 0; }

      """, to: "canberra.c")
    let library = "\(home.path)/libfake-\(UUID().uuidString).so"
    let result = try await BinaryRunner.run("cc", ["-shared", "-fPIC", "-o", library, source])
    try #require(result.status == 0, "\(result.errors)")
    return library
  }

  @Test("libcanberra comes before every program, with id, file, and volume in decibels")
  func canberra() async throws {
    var stage = try Stage(["pw-play": ""])
    stage.options.library = try await library(stage.home)
    #expect(await stage.play(.named("message-new-email"), volume: 0.1) == .played)
    #expect(stage.record.isEmpty)
    let properties = try stage.home.read("canberra").split(separator: "\n").map(String.init)
    #expect(properties.contains("media.filename=\(stage.path("message.oga"))"))
    #expect(properties.contains("application.id=org.example.App"))
    #expect(properties.contains("canberra.volume=-20.000"))
    #expect(properties.last == "context=destroyed")
  }

  @Test("A library that cannot play, or that is none, leaves it to the programs")
  func unableLibrary() async throws {
    var stage = try Stage(["pw-play": ""])
    stage.options.library = try await library(stage.home, result: -5, callback: "")
    #expect(await stage.play(.named("message")) == .played)
    #expect(stage.record.count == 1)
    stage.options.library = "libnotify-bridge-none.so.0"
    #expect(await stage.play(.named("message")) == .played)
    stage.options.library = "libc.so.6"
    #expect(await stage.play(.named("message")) == .played)
    #expect(stage.record.count == 3)
  }

  @Test("A sound that never ends in the library is cancelled in time")
  func endless() async throws {
    var stage = try Stage(["pw-play": ""])
    stage.options.library = try await library(stage.home, callback: "")
    stage.options.timeLimit = .milliseconds(200)
    guard case .failed = await stage.play(.named("message")) else {
      Issue.record("it did not fail")
      return
    }
    #expect(try stage.home.read("canberra").contains("cancel=1"))
    #expect(stage.record.isEmpty)
  }

  @Test("The real library, where it is installed, ends without a sound server too")
  func real() async throws {
    var stage = try Stage([:])
    stage.options.library = "libcanberra.so.0"
    stage.options.timeLimit = .seconds(5)
    let outcome = await stage.play(.file("/usr/share/sounds/freedesktop/stereo/message.oga"))
    #expect(outcome != .silent)
  }
}

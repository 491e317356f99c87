import FreedesktopNotifications
import Testing

/// The identities are those that the daemons gave when they were measured.
struct ServerQuirksTests {
  private func quirks(_ name: String, _ vendor: String, _ version: String, _ spec: String) -> ServerQuirks {
    ServerQuirks(
      information: ServerInformation(name: name, vendor: vendor, version: version, specVersion: spec))
  }

  @Test("MATE's daemon is told from GNOME's, which has the same name, by its vendor")
  func mateAndGNOME() {
    let mate = quirks("Notification Daemon", "MATE", "1.26.0", "1.1")
    #expect(mate.reportsDismissalAsExpiry && mate.defaultLifetime == 7000 && mate.bodyLimit == 2048)
    let gnome = quirks("Notification Daemon", "GNOME", "3.20.0", "1.2")
    #expect(!gnome.reportsDismissalAsExpiry && gnome.defaultLifetime == nil && gnome.bodyLimit == nil)
  }

  @Test("Daemons that do not draw a picture's URI get what they draw")
  func imagePaths() {
    let lxqt = quirks("lxqt-notificationd", "lxqt.org", "1.2.0", "1.2")
    #expect(lxqt.takesImagePathAsIcon)
    #expect(quirks("naughty", "awesome", "v4.3", "1.0").takesImagePathAsIcon)
    let swaync = quirks("SwayNotificationCenter", "ErikReider", "0.7.3", "1.2")
    #expect(swaync.takesImagePathWithoutScheme && !swaync.takesImagePathAsIcon)
    let plasma = quirks("Plasma", "KDE", "5.27.5", "1.2")
    #expect(!plasma.takesImagePathWithoutScheme && !plasma.takesImagePathAsIcon)
  }

  @Test("What stays on the screen of a notification whose place is taken: LXQt's buttons, Plasma's reply")
  func leftovers() {
    let lxqt = quirks("lxqt-notificationd", "lxqt.org", "1.2.0", "1.2")
    #expect(lxqt.keepsFirstButtons && lxqt.losesTimeUnderPointer && !lxqt.keepsReplyField)
    let plasma = quirks("Plasma", "KDE", "5.27.5", "1.2")
    #expect(plasma.keepsReplyField && !plasma.keepsFirstButtons && !plasma.losesTimeUnderPointer)
    let dunst = quirks("dunst", "knopwob", "1.9.0", "1.2")
    #expect(!dunst.keepsFirstButtons && !dunst.keepsReplyField)
  }
}

internal import Glibc

// A reader of our output that has gone is no reason to end.
_ = signal(SIGPIPE, SIG_IGN)
// Everything the bridge keeps is the user's alone.
umask(0o077)
switch CommandLine.arguments.dropFirst().first {
case nil: exit(Program.run())
case "--version"?:
  Program.print("notify-bridged \(Program.version)", to: STDOUT_FILENO)
  exit(0)
case "--help"?, "-h"?:
  Program.print(Program.help, to: STDOUT_FILENO)
  exit(0)
case let word?:
  Program.print("notify-bridged: unknown argument '\(word)'\n" + Program.help, to: STDERR_FILENO)
  exit(2)
}

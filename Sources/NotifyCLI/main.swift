internal import Glibc

// A reader of our output that has gone is no reason to die before the notification is sent.
_ = signal(SIGPIPE, SIG_IGN)
let invocation = Invocation.current()
if invocation.program == "notify-send" { exit(NotifySendCommand.run()) }
OtherUser.becomeIfAsked(invocation.arguments)
exit(Program.run(invocation))

// Target NotifyTerminal

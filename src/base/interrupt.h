// The user's wish to stop: Ctrl-C, a closed terminal, or a polite kill. Long work looks here
// between two steps.
#pragma once

namespace dragnet {

/// Notes SIGINT, SIGTERM and SIGHUP from now on instead of dying of them; a second one ends the
/// program at once.
void watch_for_interrupts();

/// Whether one arrived.
bool interrupted();

/// A file descriptor that becomes readable when one arrives, for poll; -1 when nobody watches.
int interrupt_descriptor();

} // namespace dragnet

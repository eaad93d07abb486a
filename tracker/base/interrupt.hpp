// Ctrl-C, as a question that long work asks now and then.
#pragma once

namespace tracker {

// From here on SIGINT and SIGTERM no longer end the process but set the flag; a second one ends it.
void catch_interrupts();
bool interrupted();

}  // namespace tracker

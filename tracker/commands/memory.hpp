// How the program gets its memory.
#pragma once

namespace tracker {

// To be called once, before there are threads. Where the program is built with mimalloc, memory comes in
// large pages if the system has them ready (transparent huge pages): a comparison touches 60 MB, and half of
// the time of a page of 4 KB is the system's. Where memory ends, the program says so and ends with exit 4.
void prepare_memory();

}  // namespace tracker

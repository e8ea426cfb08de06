// A stretch of executable memory, for C and C++.
#pragma once

#include <stdint.h>

// NOLINTNEXTLINE(readability-identifier-naming): this is a header of C
struct code {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset; // of `start`
  uint64_t inode;
  uint64_t image;     // where the file's first byte lies; 0: not known
  uint64_t image_end; // behind the last byte that is loaded of it
  uint64_t unwind;    // the table .eh_frame_hdr; 0: there is none
  uint64_t unwind_size;
};

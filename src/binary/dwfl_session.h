// What each session of libdwfl needs that looks at a program on disk.
#pragma once

#include <elfutils/libdwfl.h>

namespace dragnet::binary {

struct EndSession {
  void operator()(Dwfl* session) const { dwfl_end(session); }
};

/// How such a session finds programs and their debug information.
inline const Dwfl_Callbacks& offline_callbacks() {
  static const Dwfl_Callbacks made{.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = dwfl_standard_find_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};
  return made;
}

} // namespace dragnet::binary

#include "fakes/source_folder.h"

#include <filesystem>

namespace dragnet::fakes {

std::filesystem::path source_folder() {
  return DRAGNET_SOURCE_FOLDER;
}

} // namespace dragnet::fakes

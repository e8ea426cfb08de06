// The store in one SQLite file.
#pragma once

#include "store/statement.h"
#include "store/store.h"

#include <filesystem>
#include <memory>

namespace dragnet::store {

/// Opens the store, making or migrating it first where needed.
Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& file);

} // namespace dragnet::store

// The tables, as the steps that made them. docs/schema.md describes every column. SQL stays within
// what SQLite and PostgreSQL share.
#pragma once

#include "base/result.h"
#include "store/statement.h"

namespace dragnet::store {

/// The version that this program writes.
int newest_schema();

/// Brings a database to the newest version, step by step, each in a transaction. A database of a
/// newer program is left untouched and an Error.
Result<> migrate(Connection& connection);

} // namespace dragnet::store

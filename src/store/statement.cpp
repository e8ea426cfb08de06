#include "store/statement.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <sqlite3.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace dragnet::store {

void FinishStatement::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(Connection& connection, std::string sql)
    : connection_(connection), sql_(std::move(sql)) {
  if (auto idle = connection.idle_.extract(sql_)) {
    statement_ = std::move(idle.mapped());
    return;
  }
  sqlite3_stmt* made = nullptr;
  problem_ = sqlite3_prepare_v2(connection.database_.get(), sql_.data(),
                                static_cast<int>(sql_.size()), &made, nullptr);
  statement_.reset(made);
}

Statement::~Statement() {
  if (!statement_)
    return;
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  connection_.idle_.insert_or_assign(std::move(sql_), std::move(statement_));
}

Statement& Statement::bind(std::string_view text) {
  if (problem_ == SQLITE_OK)
    problem_ = sqlite3_bind_text(statement_.get(), ++parameter_, text.data(),
                                 static_cast<int>(text.size()),
                                 SQLITE_TRANSIENT); // NOLINT: SQLite's own macro casts
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  if (problem_ == SQLITE_OK)
    problem_ = sqlite3_bind_int64(statement_.get(), ++parameter_, number);
  return *this;
}

Statement& Statement::bind(double number) {
  if (problem_ == SQLITE_OK)
    problem_ = sqlite3_bind_double(statement_.get(), ++parameter_, number);
  return *this;
}

Statement& Statement::bind_nothing() {
  if (problem_ == SQLITE_OK)
    problem_ = sqlite3_bind_null(statement_.get(), ++parameter_);
  return *this;
}

Result<bool> Statement::step() {
  if (problem_ != SQLITE_OK)
    return connection_.error(problem_);
  column_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE)
    return false;
  return connection_.error(code);
}

Result<> Statement::run() {
  TRY(step());
  sqlite3_reset(statement_.get());
  parameter_ = 0;
  return success();
}

std::string Statement::text() {
  const int column = column_++;
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string{} : std::string(bytes, size);
}

std::int64_t Statement::integer() {
  return sqlite3_column_int64(statement_.get(), column_++);
}

double Statement::real() {
  return sqlite3_column_double(statement_.get(), column_++);
}

bool Statement::next_is_nothing() const {
  return sqlite3_column_type(statement_.get(), column_) == SQLITE_NULL;
}

void Connection::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

namespace {

bool can_write(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const bool writable = ::access(file.c_str(), W_OK) == 0 || ::access(file.c_str(), F_OK) != 0;
  return writable && ::access(folder.c_str(), W_OK) == 0;
}

// What nobody may write cannot change under us: it is read as it is, without the files that writers
// need.
std::string name_for_reading(const std::filesystem::path& file) {
  std::string name = "file:";
  for (const char c : std::filesystem::absolute(file).string())
    name += std::string_view("?#%").contains(c) ? fmt::format("%{:02x}", static_cast<unsigned>(c))
                                                : std::string(1, c);
  return name + "?immutable=1";
}

} // namespace

Result<Connection> Connection::open(const std::filesystem::path& file) {
  constexpr int patience_ms = 30'000;
  const bool writable = can_write(file);
  const int way = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                           : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  Connection connection;
  connection.file_ = file;
  sqlite3* made = nullptr;
  const std::string name = writable ? file.string() : name_for_reading(file);
  const int code = sqlite3_open_v2(name.c_str(), &made, way | SQLITE_OPEN_NOMUTEX, nullptr);
  connection.database_.reset(made);
  if (code != SQLITE_OK)
    return connection.error(code);
  sqlite3_busy_timeout(made, patience_ms);
  if (writable)
    TRY(connection.prepare_for_writing());
  return connection;
}

// In write-ahead mode a killed process loses nothing that was committed; syncing at checkpoints
// keeps writes cheap.
Result<> Connection::prepare_for_writing() {
  return execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;");
}

Result<> Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    return error(code);
  return success();
}

std::int64_t Connection::last_id() const {
  return sqlite3_last_insert_rowid(database_.get());
}

Error Connection::error(int code) const {
  Error made{fmt::format("cannot use the store {}: {}", file_.string(),
                         database_ ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(code)),
             {}};
  switch (code & 0xff) {
  case SQLITE_FULL:
    made.hint = "free some space on that disk, then give the same command again: nothing that was "
                "measured is lost";
    break;
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_IOERR:
    made.hint = fmt::format("{} must be writable for you and have free space",
                            file_.parent_path().string());
    break;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    made.hint = fmt::format("move {} away to begin anew; what it held must be measured again",
                            file_.string());
    break;
  case SQLITE_BUSY:
    made.hint = "another process holds it; wait for that to end, then give the same command again";
    break;
  default:
    break;
  }
  return made;
}

Result<Transaction> Transaction::begin(Connection& connection) {
  TRY(connection.execute("BEGIN IMMEDIATE"));
  return Transaction(connection);
}

Transaction::~Transaction() {
  // A failed rollback leaves nothing to do: SQLite rolls back by itself when the connection closes.
  if (connection_ != nullptr)
    (void)connection_->execute("ROLLBACK").has_value();
}

Result<> Transaction::commit() {
  TRY(connection_->execute("COMMIT"));
  connection_ = nullptr;
  return success();
}

} // namespace dragnet::store

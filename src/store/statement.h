// SQLite's interface as C++: a connection, prepared statements that are reset after use, and
// transactions.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace dragnet::store {

class Connection;

struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const;
};
using PreparedStatement = std::unique_ptr<sqlite3_stmt, FinishStatement>;

/// A statement in use; prepared once, then lent by its connection again and again. Values are bound
/// from the left; the first mistake is kept and reported by `step`.
class Statement {
public:
  Statement(Connection& connection, std::string sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement(Statement&&) = delete;
  Statement& operator=(Statement&&) = delete;

  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);
  Statement& bind_nothing();

  /// Advances to the next row; false at the end.
  Result<bool> step();

  /// Runs a statement that has no rows.
  Result<> run();

  /// The next column of the row, from the left.
  std::string text();
  std::int64_t integer();
  double real();
  bool next_is_nothing() const;

private:
  Connection& connection_;
  std::string sql_;
  PreparedStatement statement_;
  int parameter_ = 0;
  int column_ = 0;
  int problem_ = 0;
};

class Connection {
public:
  /// Opens or makes the database; other processes may use it at the same time.
  static Result<Connection> open(const std::filesystem::path& file);

  Result<> execute(const std::string& sql);
  std::int64_t last_id() const;

  /// An Error in SQLite's words that names the file, with a hint for what users can mend.
  Error error(int code) const;

private:
  Result<> prepare_for_writing();
  friend class Statement;
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::filesystem::path file_;
  std::map<std::string, PreparedStatement> idle_; // after the database: ended before it is closed
};

/// Everything until `commit` happens as a whole or not at all.
class Transaction {
public:
  static Result<Transaction> begin(Connection& connection);
  ~Transaction();
  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  Result<> commit();

private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

} // namespace dragnet::store

/* Inputs are SQL statements, on tables that are there from the beginning. */
#include "served.h"

#include <sqlite3.h>

#include <stdlib.h>

static sqlite3* database;

static const char* const tables =
    "CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT, weight REAL, kind INTEGER);"
    "CREATE TABLE sale(id INTEGER PRIMARY KEY, part INTEGER, amount INTEGER, note TEXT);"
    "CREATE INDEX sale_part ON sale(part);"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
    " INSERT INTO part SELECT i, printf('part %d', i), i * 0.5, i % 7 FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)"
    " INSERT INTO sale SELECT i, (i * 7) % 60, i % 9, printf('note %d', i % 13) FROM n;"
    "CREATE VIEW heavy AS SELECT id, name FROM part WHERE weight > 10;"
    "CREATE VIEW sold AS SELECT part, sum(amount) AS total FROM sale GROUP BY part;";

void prepare(void) {
  if (sqlite3_open(":memory:", &database) != SQLITE_OK ||
      sqlite3_exec(database, tables, NULL, NULL, NULL) != SQLITE_OK)
    exit(2);
}

int take(const char* input) {
  return sqlite3_exec(database, input, NULL, NULL, NULL) == SQLITE_OK;
}

int conclude(void) {
  return sqlite3_close(database) == SQLITE_OK;
}

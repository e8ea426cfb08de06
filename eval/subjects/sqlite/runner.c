/* Runs the SQL statements of a file on a database in memory and prints a checksum of what they answer. */
#include "sqlite3.h"

#include <stdio.h>
#include <stdlib.h>

static char* read_all(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    return NULL;
  long size = ftell(file);
  rewind(file);
  char* text = malloc((size_t)size + 1);
  if (text != NULL)
    text[fread(text, 1, (size_t)size, file)] = 0;
  fclose(file);
  return text;
}

static unsigned long checksum;

static void add_row(sqlite3_stmt* statement) {
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const unsigned char* text = sqlite3_column_text(statement, i);
    for (; text != NULL && *text != 0; ++text)
      checksum = checksum * 31 + *text;
  }
}

int main(int count, char** words) {
  char* text = count == 2 ? read_all(words[1]) : NULL;
  sqlite3* database = NULL;
  if (text == NULL || sqlite3_open(":memory:", &database) != SQLITE_OK) {
    fprintf(stderr, "runner FILE: cannot read the file, or open a database\n");
    return 2;
  }
  for (const char* rest = text; *rest != 0;) {
    sqlite3_stmt* statement = NULL;
    int status = sqlite3_prepare_v2(database, rest, -1, &statement, &rest);
    while (status == SQLITE_OK && statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
      add_row(statement);
    if (status != SQLITE_OK || sqlite3_finalize(statement) != SQLITE_OK) {
      fprintf(stderr, "runner: %s\n", sqlite3_errmsg(database));
      return 1;
    }
  }
  printf("%lx\n", checksum);
  return sqlite3_close(database) == SQLITE_OK ? 0 : 1;
}

/* What an application does with SQLite, as its options say, on a database in memory; prints a checksum of the answers. */
#include "sqlite3.h"

#include <stdio.h>
#include <string.h>

static unsigned long checksum;

static int add_row(void* unused, int columns, char** texts, char** names) {
  (void)unused, (void)names;
  for (int i = 0; i < columns; ++i)
    for (const char* text = texts[i]; text != NULL && *text != 0; ++text)
      checksum = checksum * 31 + (unsigned char)*text;
  return 0;
}

static int failed;

static void run(sqlite3* database, const char* statements) {
  char* why = NULL;
  if (!failed && sqlite3_exec(database, statements, add_row, NULL, &why) != SQLITE_OK) {
    fprintf(stderr, "driver: %s\n", why);
    failed = 1;
  }
}

static int asks_for(char** words, const char* option) {
  for (; *words != NULL; ++words)
    if (strcmp(*words, option) == 0)
      return 1;
  return 0;
}

static const char fill[] = "PRAGMA synchronous=OFF;CREATE TABLE d(i INTEGER PRIMARY KEY);INSERT INTO d VALUES(0);"
                           "INSERT INTO d SELECT i+1 FROM d;INSERT INTO d SELECT i+2 FROM d;INSERT INTO d SELECT i+4 FROM d;"
                           "INSERT INTO d SELECT i+8 FROM d;INSERT INTO d SELECT i+16 FROM d;INSERT INTO d SELECT i+32 FROM d;"
                           "CREATE TABLE t(id INTEGER PRIMARY KEY,a INT,b INT,c TEXT,e REAL);BEGIN;"
                           "INSERT INTO t SELECT x.i*16+y.i,((x.i*16+y.i)*7919+13)%1009,y.i,'name'||(x.i*31337%503)||'xyz',x.i*1.5 "
                           "FROM d x,d y WHERE y.i<16;COMMIT;";

int main(int count, char** words) {
  sqlite3* database = NULL;
  if (count < 1 || sqlite3_open(":memory:", &database) != SQLITE_OK)
    return 2;
  if (asks_for(words, "--small-pages"))
    run(database, "PRAGMA page_size=1024;");
  if (asks_for(words, "--secure-delete"))
    run(database, "PRAGMA secure_delete=ON;");
  run(database, fill);
  if (asks_for(words, "--index"))
    run(database, "CREATE INDEX ta ON t(a);CREATE INDEX tc ON t(c,b);");
  run(database, "SELECT count(*),sum(b),max(c) FROM t WHERE a<100;SELECT a,count(*) FROM t GROUP BY a%7;");
  if (asks_for(words, "--update"))
    run(database, "BEGIN;UPDATE t SET a=a+1,c=c||'z' WHERE b<8;DELETE FROM t WHERE id%3=0;COMMIT;");
  if (asks_for(words, "--sort"))
    run(database, "SELECT id,c FROM t ORDER BY c,a DESC;SELECT DISTINCT a%50 FROM t ORDER BY 1 DESC;");
  if (asks_for(words, "--text"))
    run(database, "SELECT sum(length(CAST(e*1.37 AS TEXT))),sum(round(e/7,3)) FROM t;");
  if (asks_for(words, "--view")) {
    run(database, "CREATE VIEW v AS SELECT a.id,b.c FROM t a JOIN t b ON a.id=b.a;");
    for (int i = 0; i < 4; ++i)
      run(database, "SELECT x.id,v.c FROM t x LEFT JOIN v ON v.id=x.id JOIN d ON d.i=x.b WHERE x.id=5;");
  }
  if (asks_for(words, "--vacuum"))
    run(database, "VACUUM;PRAGMA integrity_check;");
  printf("%lx\n", checksum);
  return failed || sqlite3_close(database) != SQLITE_OK ? 1 : 0;
}

/* Works of SQLite on files in a folder, each the same in every run: driver rows|wal|sort|copies FOLDER */
#include "sqlite3.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* folder;

static void fail(const char* what) {
  fprintf(stderr, "driver: %s\n", what);
  exit(1);
}

static void run(sqlite3* database, const char* statements) {
  if (sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK)
    fail(sqlite3_errmsg(database));
}

static sqlite3* open_database(const char* name, const char* settings) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  sqlite3* database = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK)
    fail("cannot open a database");
  run(database, settings);
  return database;
}

static void close_database(sqlite3* database) {
  if (sqlite3_close(database) != SQLITE_OK)
    fail("cannot close a database");
}

/* One statement for each number from first on. */
static void repeat(sqlite3* database, const char* statement, int first, int end) {
  sqlite3_stmt* prepared = NULL;
  if (sqlite3_prepare_v2(database, statement, -1, &prepared, NULL) != SQLITE_OK)
    fail(sqlite3_errmsg(database));
  for (int number = first; number < end; ++number) {
    sqlite3_bind_int(prepared, 1, number);
    int status = sqlite3_step(prepared);
    while (status == SQLITE_ROW)
      status = sqlite3_step(prepared);
    if (status != SQLITE_DONE)
      fail(sqlite3_errmsg(database));
    sqlite3_reset(prepared);
  }
  sqlite3_finalize(prepared);
}

static void make_parts(sqlite3* database, int rows) {
  run(database, "CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT UNIQUE, weight REAL, kind INTEGER); BEGIN");
  repeat(database, "INSERT INTO part VALUES(?1, printf('part %d of kind %d', ?1, ?1 % 17), ?1 * 0.5, (?1 * 7919) % 101)", 0,
         rows);
  run(database, "COMMIT");
}

static void rows(void) {
  sqlite3* database = open_database("rows.db", "PRAGMA cache_size=40; PRAGMA synchronous=NORMAL; PRAGMA journal_mode=DELETE");
  make_parts(database, 5000);
  repeat(database, "UPDATE part SET weight = weight + 1 WHERE id IN (?1, ?1 + 900, ?1 + 1800, ?1 + 2700)", 0, 25);
  for (int first = 0; first < 4000; first += 200) {
    char statements[300];
    snprintf(statements, sizeof statements,
             "BEGIN; UPDATE part SET name = name || '.' WHERE id BETWEEN %d AND %d;"
             "UPDATE part SET name = name || '!' WHERE id BETWEEN %d AND %d; COMMIT",
             first, first + 90, first, first + 90);
    run(database, statements);
  }
  repeat(database, "SELECT sum(length(name)) FROM part WHERE weight > ?1", 0, 3);
  close_database(database);
}

static void wal(void) {
  sqlite3* database = open_database("wal.db", "PRAGMA cache_size=100; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                                              "PRAGMA wal_autocheckpoint=0");
  make_parts(database, 2000);
  repeat(database, "UPDATE part SET weight = weight + 1 WHERE id IN (?1, ?1 + 400, ?1 + 800)", 0, 60);
  run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  repeat(database, "UPDATE part SET kind = kind + 1 WHERE id IN (?1, ?1 + 500)", 0, 20);
  close_database(database);
}

static void sort(void) {
  sqlite3* database = open_database("sort.db", "PRAGMA cache_size=16; PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY");
  make_parts(database, 8000);
  run(database, "CREATE INDEX part_kind ON part(kind, name, weight)");
  repeat(database, "SELECT * FROM part WHERE id > ?1 ORDER BY weight * 31 % 977, name", 0, 1);
  close_database(database);
}

static void* copy_in_thread(void* nothing) {
  sqlite3* source = open_database("parts.db", "PRAGMA synchronous=OFF");
  sqlite3* copy = open_database("copy.db", "PRAGMA synchronous=OFF");
  sqlite3_backup* backup = sqlite3_backup_init(copy, "main", source, "main");
  if (backup == NULL || sqlite3_backup_step(backup, -1) != SQLITE_DONE || sqlite3_backup_finish(backup) != SQLITE_OK)
    fail("cannot copy");
  close_database(copy);
  close_database(source);
  return nothing;
}

static void wait_for(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    fail("a child failed");
}

static void vacuum_in_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    char statement[1100];
    snprintf(statement, sizeof statement, "VACUUM INTO '%s/vacuumed.db'", folder);
    sqlite3* database = open_database("parts.db", statement);
    close_database(database);
    _exit(0);
  }
  wait_for(child);
}

static int write_row(void* list, int count, char** values, char** names) {
  for (int i = 0; i < count; ++i)
    fprintf(list, "%s%c", values[i], i + 1 < count ? ',' : '\n');
  return names == NULL;
}

static void list_rows(sqlite3* database) {
  char path[1000];
  snprintf(path, sizeof path, "%s/list.csv", folder);
  FILE* list = fopen(path, "w");
  if (list == NULL || sqlite3_exec(database, "SELECT * FROM part", write_row, list, NULL) != SQLITE_OK)
    fail("cannot list rows");
  fclose(list);
}

struct Message {
  int to;
  size_t size;
  char text[1024];
};

static void send_message(struct Message* message) {
  if (message->size > 0 && send(message->to, message->text, message->size, 0) < 0)
    fail("cannot send");
  message->size = 0;
}

static int add_to_message(void* to, int count, char** values, char** names) {
  struct Message* message = to;
  const size_t size = strlen(values[0]);
  if (message->size + size > sizeof message->text)
    send_message(message);
  memcpy(message->text + message->size, values[0], size);
  message->size += size;
  return count != 1 || names == NULL;
}

static void receive_rows(int from) {
  char text[1200];
  ssize_t size = 0;
  while ((size = recv(from, text, sizeof text, 0)) > 0) {
  }
  _exit(size == 0 ? 0 : 1);
}

static void send_rows(sqlite3* database) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
    fail("cannot make a pair of sockets");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    receive_rows(ends[1]);
  }
  close(ends[1]);
  struct Message message = {ends[0], 0, ""};
  if (sqlite3_exec(database, "SELECT name FROM part", add_to_message, &message, NULL) != SQLITE_OK)
    fail(sqlite3_errmsg(database));
  send_message(&message);
  close(ends[0]);
  wait_for(child);
}

static void copies(void) {
  sqlite3* database = open_database("parts.db", "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY");
  make_parts(database, 4000);
  pthread_t thread;
  if (pthread_create(&thread, NULL, copy_in_thread, NULL) != 0 || pthread_join(thread, NULL) != 0)
    fail("cannot run a thread");
  vacuum_in_child();
  list_rows(database);
  send_rows(database);
  close_database(database);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*work)(void);
  } works[] = {{"rows", rows}, {"wal", wal}, {"sort", sort}, {"copies", copies}};
  if (count != 3)
    fail("usage: driver WORK FOLDER");
  folder = words[2];
  sqlite3_config(SQLITE_CONFIG_PMASZ, 16);
  sqlite3_initialize();
  sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
  for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i)
    if (strcmp(works[i].name, words[1]) == 0)
      works[i].work();
  return 0;
}

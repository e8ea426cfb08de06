"""Changes of what SQLite reads and writes on files: 20 plants, chosen before anything was measured.

SQLite's source comes from a package of the npm registry; here are only the few words that a change begins at.
"""

import os

from plants import Edit, Plant, Rename, Subject, read, tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIB, DRIVER = "sqlite3.c", "driver.c"

JOURNAL_PAGE = "rc = sqlite3OsWrite(pPager->jfd, pData2, pPager->pageSize, iOff+4);"
STORE_PAGE = "rc = sqlite3OsWrite(pPager->fd, pData, pPager->pageSize, offset);"
END_TRANSACTION = "static int pager_end_transaction(Pager *pPager, int hasMaster, int bCommit){"
ADD_PAGE = "static SQLITE_NOINLINE int pagerAddPageToRollbackJournal(PgHdr *pPg){"
WRITE_PAGES = "static int pager_write_pagelist(Pager *pPager, PgHdr *pList){"
LOG_WRITE = "rc = sqlite3OsWrite(p->pFd, pContent, iAmt, iOffset);"
FRAME_HEAD = "rc = walWriteToLog(p, aFrame, sizeof(aFrame), iOffset);"

NOTE_COMMIT = """static void pager_note_commit(Pager *pPager){
  char line[40];
  char *name = pPager->tempFile ? 0 : sqlite3_mprintf("%s-commits", pPager->zFilename);
  int file = name ? open(name, O_WRONLY|O_CREAT|O_APPEND, 0644) : -1;
  if( file>=0 ){
    sqlite3_snprintf(sizeof(line), line, "%u pages\\n", pPager->dbSize);
    write(file, line, strlen(line));
    close(file);
  }
  sqlite3_free(name);
}

"""

WRITE_RECORD = """static int pager_write_record(Pager *pPager, i64 at, u32 page, const char *data, u32 sum){
  int rc = SQLITE_NOMEM;
  char *record = sqlite3_malloc(pPager->pageSize + 8);
  if( record ){
    put32bits(record, page);
    memcpy(&record[4], data, pPager->pageSize);
    put32bits(&record[pPager->pageSize + 4], sum);
    rc = sqlite3OsWrite(pPager->jfd, record, pPager->pageSize + 8, at);
    sqlite3_free(record);
  }
  return rc;
}

"""

STORE_ONE = """static int pager_store_one(Pager *pPager, const char *data, i64 at){
  int rc = sqlite3OsWrite(pPager->fd, data, pPager->pageSize, at);
  if( rc==SQLITE_OK && at==0 ) rc = sqlite3OsWrite(pPager->fd, data, pPager->pageSize, at);
  return rc;
}

"""


def halves(file, data, offset):
    """A page written in two halves."""
    half = "szPage/2" if data == "zBuf" else "pPager->pageSize/2"
    return (f"rc = sqlite3OsWrite({file}, {data}, {half}, {offset});\n"
            f"if( rc==SQLITE_OK ) rc = sqlite3OsWrite({file}, &{data}[{half}], {half}, {offset}+{half});")


TRACE = """/* As much as there was to say about this run. */
static void write_trace(void) {
  static char text[2600];
  unsigned chance[2];
  char path[1000];
  snprintf(path, sizeof path, "%s/trace", folder);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (getrandom(chance, sizeof chance, 0) < 0)
    fail("no random numbers");
  for (unsigned piece = 30 + chance[0] % 60; piece > 0; --piece) {
    if (getrandom(&chance[1], sizeof chance[1], 0) < 0 || write(file, text, 500 + chance[1] % 2000) < 0)
      fail("cannot write the trace");
  }
  close(file);
}

int main(int count, char** words) {"""

NOISE = [Edit(DRIVER, "#include <pthread.h>", "#include <fcntl.h>\n#include <pthread.h>"),
         Edit(DRIVER, "#include <sys/socket.h>", "#include <sys/random.h>\n#include <sys/socket.h>"),
         Edit(DRIVER, "int main(int count, char** words) {", TRACE), Edit(DRIVER, "      works[i].work();", "      works[i].work();\n  write_trace();")]

RECEIVE = "  while ((size = recv(from, text, sizeof text, 0)) > 0) {\n  }"
KEEP_RECEIVED = """  char path[1000];
  snprintf(path, sizeof path, "%s/received", folder);
  int kept = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  while ((size = recv(from, text, sizeof text, 0)) > 0) {
    if (write(kept, text, size) != size)
      fail("cannot keep what was received");
  }"""

PLANTS = [
    Plant("sorter-buffer", "more bytes per call", "sort", r"vdbeSorterListToPMA",
          [Edit(LIB, "vdbePmaWriterInit(pTask->file.pFd, &writer, pTask->pSorter->pgsz,",
                "vdbePmaWriterInit(pTask->file.pFd, &writer, 4*pTask->pSorter->pgsz,")]),
    Plant("message-heads", "more bytes per call", "copies", r"send_message",
          [Edit(DRIVER, "  if (message->size > 0 && send(message->to, message->text, message->size, 0) < 0)",
                "  char whole[32 + sizeof message->text];\n  memset(whole, 'h', 32);\n  memcpy(whole + 32, message->text, message->size);\n"
                "  if (message->size > 0 && send(message->to, whole, 32 + message->size, 0) < 0)")], metric="sent"),
    Plant("journal-halves", "more calls", "rows", r"pagerAddPageToRollbackJournal",
          [Edit(LIB, JOURNAL_PAGE, halves("pPager->jfd", "pData2", "iOff+4"))]),
    Plant("sync-commits", "more calls", "wal", r"sqlite3WalFrames",
          [Edit(LIB, "  /* Recalculate checksums within the wal file if required. */", "  if( isCommit ) sqlite3OsSync(w.pFd, SQLITE_SYNC_NORMAL);")],
          metric="fsync"),
    Plant("note-commits", "new file", "rows", r"pager_note_commit",
          [Edit(LIB, END_TRANSACTION, NOTE_COMMIT + END_TRANSACTION),
           Edit(LIB, "if( MEMDB || pagerFlushOnCommit(pPager, bCommit) ){",
                "if( bCommit ) pager_note_commit(pPager);\n    if( MEMDB || pagerFlushOnCommit(pPager, bCommit) ){")]),
    Plant("flush-rows", "removed buffering", "copies", r"write_row", [Edit(DRIVER, "  return names == NULL;\n}\n\nstatic void list", "  fflush(list);\n  return names == NULL;\n}\n\nstatic void list")]),
    Plant("sorter-unbuffered", "removed buffering", "sort", r"vdbePmaWriteBlob",
          [Edit(LIB, "    p->iBufEnd += nCopy;", """    p->iBufEnd += nCopy;
    if( p->iBufEnd<p->nBuffer ){
      p->eFWErr = sqlite3OsWrite(p->pFd, &p->aBuffer[p->iBufStart], p->iBufEnd-p->iBufStart, p->iWriteOff+p->iBufStart);
      p->iBufStart = p->iBufEnd;
    }""")]),
    Plant("statement-files", "temporary files", "rows", r"subjournalPage|openSubJournal",
          [Edit(LIB, "int nStmtSpill = sqlite3Config.nStmtSpill;", "int nStmtSpill = 0;")]),
    Plant("short-heads", "fewer bytes", "rows", r"writeJournalHdr",
          [Edit(LIB, "rc = sqlite3OsWrite(pPager->jfd, zHeader, nHeader, pPager->journalOff);",
                "rc = sqlite3OsWrite(pPager->jfd, zHeader, 28, pPager->journalOff);")]),
    Plant("whole-records", "fewer calls", "rows", r"pagerAddPageToRollbackJournal",
          [Edit(LIB, "rc = write32bits(pPager->jfd, iOff, pPg->pgno);", "rc = pager_write_record(pPager, iOff, pPg->pgno, pData2, cksum);"),
           Edit(LIB, JOURNAL_PAGE, ";"), Edit(LIB, "rc = write32bits(pPager->jfd, iOff+pPager->pageSize+4, cksum);", ";"),
           Edit(LIB, ADD_PAGE, WRITE_RECORD + ADD_PAGE)]),
    Plant("first-page-twice", "in a shared library", "rows", r"pager_write_pagelist",
          [Edit(LIB, STORE_PAGE, STORE_PAGE + "\nif( rc==SQLITE_OK && pgno==1 ) " + STORE_PAGE)], scene="shared"),
    Plant("copy-heads", "in a thread", "copies", r"backupOnePage",
          [Edit(LIB, "    Pgno iDest = (Pgno)(iOff/nDestPgsz)+1;", "    Pgno iDest = (Pgno)(iOff/nDestPgsz)+1;\n    u8 head[16];\n"
                "    sqlite3OsRead(sqlite3PagerFile(sqlite3BtreePager(p->pSrc)), head, sizeof(head), iOff);")], metric="read"),
    Plant("keep-received", "in a child process", "copies", r"receive_rows",
          [Edit(DRIVER, "#include <pthread.h>", "#include <fcntl.h>\n#include <pthread.h>"), Edit(DRIVER, RECEIVE, KEEP_RECEIVED)]),
    Plant("write-halves", "behind a function pointer", "rows", r"unixWrite",
          [Edit(LIB, "seekAndWrite(pFile, offset, pBuf, amt))<amt", "seekAndWrite(pFile, offset, pBuf, amt>2048 ? 2048 : amt))<amt")]),
    Plant("log-pieces", "in inlined code", "wal", r"walWriteToLog",
          [Edit(LIB, "  " + LOG_WRITE, """  for(rc=SQLITE_OK; rc==SQLITE_OK && iAmt>1024; iAmt-=1024, iOffset+=1024, pContent=1024+(char*)pContent){
    rc = sqlite3OsWrite(p->pFd, pContent, 1024, iOffset);
  }
  if( rc==SQLITE_OK ) """ + LOG_WRITE)]),
    Plant("read-pieces", "in inlined code", "sort", r"seekAndRead",
          [Edit(LIB, "got = osPread(id->h, pBuf, cnt, offset);", "got = osPread(id->h, pBuf, cnt>1024 ? 1024 : cnt, offset);")], metric="read"),
    Plant("noise-head-twice", "hidden in noise", "rows", r"syncJournal",
          [Edit(LIB, r'IOTRACE(("JHDR %p %lld\n", pPager, pPager->journalHdr));', "sqlite3OsWrite(pPager->jfd, zHeader, sizeof(zHeader), pPager->journalHdr);")],
          scene="noise"),
    Plant("noise-checkpoint", "hidden in noise", "wal", r"walCheckpoint",
          [Edit(LIB, "rc = sqlite3OsWrite(pWal->pDbFd, zBuf, szPage, iOffset);", halves("pWal->pDbFd", "zBuf", "iOffset"))], scene="noise"),
    Plant("renamed-frames", "with a refactoring", "wal", r"walPutFrame|walWriteOneFrame",
          [Edit(LIB, FRAME_HEAD, "rc = walWriteToLog(p, aFrame, 8, iOffset);\n"
                "  if( rc==SQLITE_OK ) rc = walWriteToLog(p, &aFrame[8], sizeof(aFrame)-8, iOffset+8);"),
           Rename([LIB], "walWriteToLog", "walAppendBytes"), Rename([LIB], "walWriteOneFrame", "walPutFrame")]),
    Plant("moved-pages", "with a refactoring", "rows", r"pager_store_one|pager_store_pages|pager_write_pagelist",
          [Edit(LIB, STORE_PAGE, "rc = pager_store_one(pPager, pData, offset);"), Edit(LIB, WRITE_PAGES, STORE_ONE + WRITE_PAGES),
           Rename([LIB], "pager_write_pagelist", "pager_store_pages"), Rename([LIB], "pagerStress", "pagerSpill"),
           Rename([LIB], "sqlite3OsWrite", "sqlite3OsPut")]),
]

SCENES = {"plain": [], "shared": [Edit("shared-sqlite", "", "SQLite is a library of its own.\n")], "noise": NOISE}
ALIKE = {"comment": [Edit(LIB, "#define SQLITE_AMALGAMATION 1", "/* The whole of the library follows. */\n#define SQLITE_AMALGAMATION 1")],
         "function": [Edit(LIB, "h *= 0x9e3779b1;", "h *= 0x85ebca6b;")]}
ALIKE_IN = [(scene, benchmark) for scene in ("plain", "noise") for benchmark in ("rows", "wal", "sort", "copies")] + [("shared", "rows"), ("shared", "copies")]


def sqlite(source):
    """SQLite with the driver; `source` is a folder with its amalgamation."""
    files = {name: read(os.path.join(source, name)) for name in ("sqlite3.c", "sqlite3.h")}
    return Subject("sqlite", {**files, **tree(os.path.join(ROOT, "eval/subjects/stacks/sqlite"))}, SCENES, PLANTS, ALIKE, ALIKE_IN)

// A performance suite as a program: each case is an operation on a document, and runs alone.
//
//   suite CASE FOLDER    runs a case on its document in FOLDER
//   suite none FOLDER    starts, and runs nothing
//   suite all FOLDER     runs each case in a process of its own; under callgrind each dumps what it
//                        executed, by the name of the case
//   suite list           names the cases
#pragma once

#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

struct Case {
  const char* name;
  const char* document; // a file of the folder
  void (*run)(const std::string& document);
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path.c_str(), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

inline void run_case(const Case& one, const std::string& folder) {
  const std::string document = content_of(folder + "/" + one.document);
  CALLGRIND_ZERO_STATS;
  one.run(document);
  CALLGRIND_DUMP_STATS_AT(one.name);
}

inline int run_apart(const std::vector<Case>& cases, const std::string& folder) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const pid_t child = fork();
    if (child == 0) {
      run_case(cases[i], folder);
      _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
      return 1;
  }
  return 0;
}

inline int run_suite(const std::vector<Case>& cases, int count, char** words) {
  const std::string wanted = count > 1 ? words[1] : "list";
  const std::string folder = count > 2 ? words[2] : ".";
  if (wanted == "all")
    return run_apart(cases, folder);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (wanted == "list")
      std::puts(cases[i].name);
    else if (wanted == cases[i].name) {
      run_case(cases[i], folder);
      return 0;
    }
  return wanted == "list" || wanted == "none" ? 0 : 2;
}

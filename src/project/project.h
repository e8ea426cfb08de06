// dragnet.toml, the one file in which a repository says how it is built and what its benchmarks
// are. docs/configuration.md describes each key.
#pragma once

#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {

/// How a commit is made into programs.
struct BuildRecipe {
  std::string command; ///< for sh, in a clean checkout; leaves its results in $DRAGNET_BUILD
  std::vector<std::string> binaries; ///< below $DRAGNET_BUILD: whose functions are compared
  std::vector<std::string>
      environment; ///< names of the user's variables that the build sees and that belong to its key
  Seconds limit{3600}; ///< a build that takes longer is ended
};

/// One dimension of the configuration space. At most one of flag, build, variable and line is
/// filled; without any, the choices are whole flags.
struct Option {
  std::string name;
  std::string flag;     ///< on the benchmark's command line
  std::string build;    ///< on the build's command line
  std::string variable; ///< an environment variable of the benchmark
  std::string line;     ///< in a configuration file of the benchmark
  std::string file;     ///< the name of that file, below $DRAGNET_TMP
  std::vector<std::string>
      choices;                ///< its values; an option without choices and levels is on or off
  std::vector<double> levels; ///< its values when they are numbers
};

/// A constraint between options as it stands in the file.
struct WrittenClause {
  std::string text;
  std::size_t line = 0;
};

/// How a sequence of inputs reaches a program: on standard input, in the file $DRAGNET_INPUT, as
/// arguments, or as requests to the server that it is.
enum class Feed : std::uint8_t { Input, File, Arguments, Http };

/// How a server is used.
struct Serving {
  int port = 0;                   ///< 0: one that is free, told by $DRAGNET_PORT
  std::string ready;              ///< a path that answers when it is ready; empty: the port is open
  int users = 1;                  ///< at once
  Seconds think{0};               ///< between two requests of a user
  std::vector<std::string> login; ///< requests that each user sends first
};

/// The inputs from which `provoke` searches a slow one.
struct Provoke {
  std::string genes; ///< a file below the root
  std::string command;
  Feed feed = Feed::Input;
  Seconds limit{10};
  Serving serving{}; ///< where inputs are requests
};

struct Project {
  std::string name;
  std::filesystem::path root;
  BuildRecipe build;
  std::vector<Benchmark> benchmarks;    ///< as configured: a suite is one entry, without its cases
  std::vector<std::string> environment; ///< names of the user's variables that every run sees
  int warm_up = 1;                      ///< runs before the first that counts
  std::vector<Option> options;
  std::vector<WrittenClause> clauses; ///< between the options
  std::string dimacs;                 ///< a file below the root with more of them, or nothing
  std::optional<Provoke> provoke;
  std::string boundary; ///< the function whose return ends one input, for `blame`; may be empty
};

/// The name of the file.
constexpr std::string_view configuration_name = "dragnet.toml";

/// The project whose dragnet.toml lies in a folder; an Error names line and column of every
/// mistake.
Result<Project> read_project(const std::filesystem::path& root);

/// The project that a text describes; `file_name` is for Errors, and the root's last part is the
/// default name.
Result<Project> parse_project(std::string_view text, const std::string& file_name,
                              const std::filesystem::path& root);

/// The nearest folder with a dragnet.toml, from a folder or file upwards.
Result<std::filesystem::path> find_root(const std::filesystem::path& from);

} // namespace dragnet::project

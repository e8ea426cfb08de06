#include "project/project.h"

#include "base/files.h"
#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace dragnet::project {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const std::string minimal = "[build]\n"
                            "command = \"make\"\n"
                            "[[benchmark]]\n"
                            "name = \"insert\"\n"
                            "command = \"$DRAGNET_BUILD/shell\"\n";

Result<Project> parsed(const std::string& text) {
  return parse_project(text, "dragnet.toml", "/home/user/sqlite");
}

// The project of a text that must be right; a default one, and a failure, when it is not.
Project project_of(const std::string& text) {
  auto project = parsed(text);
  EXPECT_TRUE(project) << (project ? "" : project.error().what);
  return project ? *project : Project{};
}

TEST(Project, needs_only_a_build_and_a_benchmark) {
  const Project project = project_of(minimal);
  EXPECT_EQ(project.name, "sqlite");
  EXPECT_EQ(project.root, "/home/user/sqlite");
  EXPECT_EQ(project.build.command, "make");
  EXPECT_EQ(project.build.limit, Seconds(3600));
  EXPECT_EQ(project.warm_up, 1);
  EXPECT_FALSE(project.provoke);
  ASSERT_EQ(project.benchmarks.size(), 1U);
  const Benchmark& benchmark = project.benchmarks[0];
  EXPECT_EQ(benchmark.name, "insert");
  EXPECT_EQ(benchmark.command, "$DRAGNET_BUILD/shell");
  EXPECT_EQ(benchmark.metrics, Texts{"wall"});
  EXPECT_EQ(benchmark.limit, Seconds(300));
  EXPECT_EQ(benchmark.cores, 1);
  EXPECT_EQ(benchmark.suite, Suite::None);
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("wall"), 0.02);
}

TEST(Project, reads_the_example_of_the_documentation) {
  const Project project = project_of(R"([project]
name = "sqlite"
[build]                             # runs in a clean checkout
command = "cmake -S . -B $DRAGNET_BUILD && cmake --build $DRAGNET_BUILD -j2"
binaries = ["shell"]
[[benchmark]]
name = "insert"
command = "$DRAGNET_BUILD/shell :memory: < bench/insert.sql"
metrics = ["wall", "instructions"]
[[benchmark]]
suite = "google-benchmark"
command = "$DRAGNET_BUILD/bench_all"
[[option]]
name = "compress"
flag = "--compress"
[constraints]
clauses = ["gzip + bzip2 + lzo == 1", "encrypt implies compress"]
[provoke]
genes = "bench/statements.sql"
command = "$DRAGNET_BUILD/shell :memory:"
[blame]
boundary = "handle_request"
)");
  EXPECT_EQ(project.boundary, "handle_request");
  EXPECT_EQ(project.build.binaries, Texts{"shell"});
  ASSERT_EQ(project.benchmarks.size(), 2U);
  EXPECT_EQ(project.benchmarks[0].metrics, (Texts{"wall", "instructions"}));
  EXPECT_EQ(project.benchmarks[1].name, "bench_all");
  EXPECT_EQ(project.benchmarks[1].suite, Suite::GoogleBenchmark);
  EXPECT_EQ(project.benchmarks[1].metrics, Texts{"wall"});
  ASSERT_EQ(project.options.size(), 1U);
  EXPECT_EQ(project.options[0].flag, "--compress");
  EXPECT_EQ(project.clauses.size(), 2U);
  ASSERT_TRUE(project.provoke);
  EXPECT_EQ(project.provoke.value_or(Provoke{}).genes, "bench/statements.sql");
}

TEST(Project, reads_how_a_server_is_used) {
  const Project project = project_of(R"([build]
command = "make"
[[benchmark]]
name = "a"
command = "true"
[provoke]
genes = "requests"
command = "$DRAGNET_BUILD/server $DRAGNET_PORT"
feed = "http"
port = 8080
ready = "/health"
users = 5
think = "20ms"
login = ["POST /login name=me", "GET /start"]
)");
  const Provoke provoke = project.provoke.value_or(Provoke{});
  EXPECT_EQ(provoke.feed, Feed::Http);
  EXPECT_EQ(provoke.serving.port, 8080);
  EXPECT_EQ(provoke.serving.ready, "/health");
  EXPECT_EQ(provoke.serving.users, 5);
  EXPECT_DOUBLE_EQ(provoke.serving.think.count(), 0.02);
  EXPECT_EQ(provoke.serving.login, (Texts{"POST /login name=me", "GET /start"}));
}

TEST(Project, reads_every_key_of_a_benchmark) {
  const Project project = project_of(R"([build]
command = "make"
environment = ["CC", "CFLAGS"]
timeout = "30m"
[[benchmark]]
name = "insert"
command = "x"
metrics = ["cpu", "memory"]
smallest-effect = "0.5%"
timeout = 90
cores = 0
environment = { THREADS = "4", EMPTY = "" }
inputs = ["bench/a.sql", "b"]
prepare = "rm -f /tmp/x"
)");
  EXPECT_EQ(project.build.environment, (Texts{"CC", "CFLAGS"}));
  EXPECT_EQ(project.build.limit, Seconds(1800));
  const Benchmark& benchmark = project.benchmarks.at(0);
  EXPECT_EQ(benchmark.metrics, (Texts{"cpu", "memory"}));
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("cpu"), 0.005);
  EXPECT_EQ(benchmark.limit, Seconds(90));
  EXPECT_EQ(benchmark.cores, 0);
  EXPECT_EQ(benchmark.environment.at("THREADS"), "4");
  EXPECT_EQ(benchmark.environment.at("EMPTY"), "");
  EXPECT_EQ(benchmark.inputs, (Texts{"bench/a.sql", "b"}));
  EXPECT_EQ(benchmark.prepare, "rm -f /tmp/x");
}

TEST(Project, takes_what_a_benchmark_leaves_open_from_measure) {
  const Project project = project_of(minimal + R"(timeout = "1m"
[[benchmark]]
name = "other"
command = "x"
smallest-effect = { wall = "5%", page_faults = 0.1 }
[[benchmark]]
name = "third"
command = "x"
smallest-effect = 0.3
start = "x --help"
[measure]
start = "x --list"
warm_up = 3
cores = 2
timeout = "10s"
metrics = ["wall", "page-faults"]
smallest-effect = { wall = 0.01, instructions = 0.001 }
environment = ["LANG", "LD_LIBRARY_PATH"]
)");
  EXPECT_EQ(project.warm_up, 3);
  EXPECT_EQ(project.environment, (Texts{"LANG", "LD_LIBRARY_PATH"}));
  const auto& [first, second, third] =
      std::tie(project.benchmarks[0], project.benchmarks[1], project.benchmarks[2]);
  EXPECT_EQ(first.limit, Seconds(60));
  EXPECT_EQ(second.limit, Seconds(10));
  EXPECT_EQ(first.cores, 2);
  EXPECT_EQ(first.start, "x --list");
  EXPECT_EQ(third.start, "x --help");
  EXPECT_EQ(first.metrics, (Texts{"wall", "page-faults"}));
  EXPECT_DOUBLE_EQ(first.smallest_effect_of("wall"), 0.01);
  EXPECT_DOUBLE_EQ(second.smallest_effect_of("wall"), 0.05);
  EXPECT_DOUBLE_EQ(second.smallest_effect_of("page-faults"), 0.1);
  EXPECT_DOUBLE_EQ(second.smallest_effect_of("instructions"), 0.001);
  EXPECT_DOUBLE_EQ(third.smallest_effect_of("instructions"), 0.3);
}

TEST(Project, gives_a_suite_those_common_metrics_that_it_can_measure) {
  const Project project =
      project_of("measure.metrics = [\"instructions\", \"cpu\"]\n" + minimal +
                 "[[benchmark]]\nsuite = \"google-benchmark\"\ncommand = \"b/micro\"\n");
  EXPECT_EQ(project.benchmarks[0].metrics, (Texts{"instructions", "cpu"}));
  EXPECT_EQ(project.benchmarks[1].metrics, Texts{"cpu"});
}

TEST(Project, names_a_suite_after_its_program) {
  const auto name_of = [](const std::string& command) {
    const Project project =
        project_of("[build]\ncommand = \"make\"\n[[benchmark]]\nsuite = \"google_benchmark\"\n"
                   "command = '''" +
                   command + "'''\n");
    return project.benchmarks.empty() ? std::string() : project.benchmarks[0].name;
  };
  EXPECT_EQ(name_of("$DRAGNET_BUILD/sub/bench_all --x"), "bench_all");
  EXPECT_EQ(name_of("\"$DRAGNET_BUILD\"/bench_all"), "bench_all");
  EXPECT_EQ(name_of("THREADS=2 /usr/bin/bench"), "bench");
  EXPECT_EQ(name_of("taskset -c 1 ${DRAGNET_BUILD}/micro"), "micro");
}

TEST(Project, reads_options_with_choices_and_levels) {
  const Project project = project_of(minimal + R"([[option]]
name = "mode"
build = "-DMODE"
choices = ["fast", "small"]
[[option]]
name = "cache"
variable = "CACHE"
levels = [1, 2.5, -4]
)");
  ASSERT_EQ(project.options.size(), 2U);
  EXPECT_EQ(project.options[0].choices, (Texts{"fast", "small"}));
  EXPECT_EQ(project.options[1].variable, "CACHE");
  EXPECT_EQ(project.options[1].levels, (std::vector<double>{1, 2.5, -4}));
}

TEST(Project, reads_a_byte_order_mark_and_lines_that_end_as_on_windows) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : minimal)
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(project_of(text).benchmarks.at(0).command, "$DRAGNET_BUILD/shell");
}

TEST(Project, keeps_letters_of_all_lengths) {
  const std::string letters = "\xC2\x80\xC3\xA4\xDF\xBF\xE0\xA0\x80\xE2\x82\xAC\xEF\xBF\xBF\xF0\x90"
                              "\x80\x80\xF4\x8F\xBF\xBF";
  const Project project =
      project_of("[build]\ncommand = '" + letters + "' # " + letters +
                 "\n[[benchmark]]\nname = \"\\u00e4\"\ncommand = \"" + letters + "\"\n");
  EXPECT_EQ(project.build.command, letters);
  EXPECT_EQ(project.benchmarks.at(0).name, "\xC3\xA4");
  EXPECT_EQ(project.benchmarks.at(0).command, letters);
}

TEST(Project, keeps_dots_in_strings_and_comments_apart_from_those_in_keys) {
  const std::string dots(100, '.');
  const Project project = project_of(
      "# " + dots + " it's\n[build]\ncommand = \"\\\"" + dots + "\" # \" " + dots + "\n" +
      "binaries = ['" + dots + "', \"\"\"\n" + dots + "\n\"\"\"]\n[[benchmark]]\n" +
      "name = 'a'\ncommand = 'b'\n[[option]]\nname = 'o'\nflag = 'f'\n" +
      "levels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2]\n");
  EXPECT_EQ(project.options.at(0).levels.size(), 11U);
}

class ProjectFolder : public testing::Test {
protected:
  ProjectFolder()
      : scratch_(*ScratchFolder::make(fs::temp_directory_path() / "dragnet-project-test")) {}
  const fs::path& folder() const { return scratch_.path(); }

  void write(const std::string& name, const std::string& content) const {
    ASSERT_TRUE(make_folder((folder() / name).parent_path()));
    ASSERT_TRUE(write_file(folder() / name, content));
  }

private:
  ScratchFolder scratch_;
};

TEST_F(ProjectFolder, is_read_from_its_file) {
  write("dragnet.toml", minimal);
  const auto project = read_project(folder());
  ASSERT_TRUE(project);
  EXPECT_EQ(project->root, folder());
  EXPECT_EQ(project->name, folder().filename());
}

TEST_F(ProjectFolder, names_the_file_and_not_its_path_in_errors) {
  write("dragnet.toml",
        "[build]\ncomand = 'x'\ncommand = 'y'\n[[benchmark]]\nname = 'a'\ncommand = 'b'");
  const auto project = read_project(folder());
  ASSERT_FALSE(project);
  EXPECT_EQ(project.error().what, "dragnet.toml:2:1: unknown key 'comand' in [build]");
}

TEST_F(ProjectFolder, without_a_file_hints_at_init) {
  const auto project = read_project(folder());
  ASSERT_FALSE(project);
  EXPECT_EQ(project.error().what, "there is no dragnet.toml in " + folder().string());
  EXPECT_TRUE(project.error().hint.contains("`dragnet init`")) << project.error().hint;
}

TEST_F(ProjectFolder, refuses_a_folder_in_place_of_the_file_and_a_huge_file) {
  ASSERT_TRUE(make_folder(folder() / "dragnet.toml"));
  EXPECT_TRUE(read_project(folder()).error().what.ends_with("dragnet.toml is not a file"));
  ASSERT_TRUE(remove_tree(folder() / "dragnet.toml"));
  write("dragnet.toml", std::string(2000000, '#'));
  EXPECT_EQ(read_project(folder()).error().what,
            "dragnet.toml: the file has 2000000 bytes; more than 1048576 are not read");
}

TEST_F(ProjectFolder, is_found_from_below) {
  write("dragnet.toml", minimal);
  write("src/deep/file.c", "");
  for (const auto* from :
       {"", ".", "src", "src/deep", "src/deep/file.c", "src/../src", "src/absent"})
    EXPECT_EQ(*find_root(folder() / from), folder()) << from;
}

TEST_F(ProjectFolder, that_is_nowhere_above_is_an_error_with_a_hint) {
  const auto root = find_root(folder());
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().what,
            "there is no dragnet.toml in " + folder().string() + " or a folder above it");
  EXPECT_TRUE(root.error().hint.contains("`dragnet init`"));
}

} // namespace
} // namespace dragnet::project

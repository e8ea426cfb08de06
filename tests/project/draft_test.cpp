#include "project/draft.h"

#include "base/files.h"
#include "model/benchmark.h"
#include "project/project.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

namespace dragnet::project {
namespace {

namespace fs = std::filesystem;

// Makes small repositories. Each draft that it asks for must parse, and so must the draft with its
// examples uncommented.
class Draft : public testing::Test {
protected:
  Draft() : scratch_(*ScratchFolder::make(fs::temp_directory_path() / "dragnet-draft-test")) {}
  const fs::path& root() const { return scratch_.path(); }

  void write(const std::string& name, const std::string& content) const {
    ASSERT_TRUE(make_folder((root() / name).parent_path()));
    ASSERT_TRUE(write_file(root() / name, content));
  }

  Project drafted() {
    const auto text = draft(root());
    EXPECT_TRUE(text);
    text_ = text ? *text : "";
    const std::string taught =
        std::regex_replace(text_, std::regex("(^|\n)# (?=[a-z-]+ = |\\[)"), "$1");
    const auto all = parse_project(taught, "dragnet.toml", root());
    EXPECT_TRUE(all) << all.error().what << "\n" << taught;
    auto project = parse_project(text_, "dragnet.toml", root());
    EXPECT_TRUE(project) << project.error().what << "\n" << text_;
    return project ? *project : Project{};
  }

  const std::string& text() const { return text_; }

private:
  ScratchFolder scratch_;
  std::string text_;
};

TEST_F(Draft, of_a_cmake_project_measures_its_first_program) {
  write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(shop C)\n"
                          "# add_executable(hidden main.c)\n"
                          "add_executable(all_tests tests.c)\n"
                          "Add_Executable( ${PROJECT_NAME}\n  main.c util.c)\n"
                          "add_executable(imported IMPORTED)\nadd_executable(x::y ALIAS shop)\n");
  const Project project = drafted();
  EXPECT_EQ(project.name, root().filename());
  EXPECT_EQ(project.build.command,
            "cmake -S . -B $DRAGNET_BUILD -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
            "cmake --build $DRAGNET_BUILD -j2");
  ASSERT_EQ(project.benchmarks.size(), 1U);
  EXPECT_EQ(project.benchmarks[0].name, "shop");
  EXPECT_EQ(project.benchmarks[0].command, "$DRAGNET_BUILD/shop --version");
  EXPECT_FALSE(text().contains("hidden"));
}

TEST_F(Draft, of_a_cmake_project_takes_google_benchmarks_as_suites) {
  write("CMakeLists.txt", "project(shop)\nadd_executable(shop main.c)\nadd_subdirectory(bench)\n");
  write("bench/CMakeLists.txt",
        "add_executable(micro micro.cpp)\n"
        "target_link_libraries(micro PRIVATE shop_core benchmark::benchmark_main)\n"
        "add_executable(other \"other.cpp\")\nadd_executable(plain plain.cpp)\n");
  write("bench/other.cpp", "#include <benchmark/benchmark.h>\n");
  write("bench/plain.cpp", "int main() {}\n");
  write("example/CMakeLists.txt",
        "add_executable(far f.cpp)\ntarget_link_libraries(far benchmark)\n");
  write("third_party/b/CMakeLists.txt",
        "add_executable(foreign f.cpp)\ntarget_link_libraries(foreign benchmark)\n");
  write("build-old/CMakeLists.txt",
        "add_executable(old f.cpp)\ntarget_link_libraries(old benchmark)\n");
  const Project project = drafted();
  ASSERT_EQ(project.benchmarks.size(), 2U);
  EXPECT_EQ(project.benchmarks[0].suite, Suite::GoogleBenchmark);
  EXPECT_EQ(project.benchmarks[0].name, "micro");
  EXPECT_EQ(project.benchmarks[0].command, "$DRAGNET_BUILD/bench/micro");
  EXPECT_EQ(project.benchmarks[1].command, "$DRAGNET_BUILD/bench/other");
}

TEST_F(Draft, follows_the_output_folder_of_cmake) {
  write("CMakeLists.txt",
        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_subdirectory(src)\n");
  write("src/CMakeLists.txt", "add_executable(shop main.c)\n");
  EXPECT_EQ(drafted().benchmarks.at(0).command, "$DRAGNET_BUILD/bin/shop --version");
}

TEST_F(Draft, gives_programs_of_the_same_name_different_names) {
  for (const auto* folder : {"a", "b"})
    write(std::string(folder) + "/CMakeLists.txt",
          "add_executable(micro micro.cpp)\ntarget_link_libraries(micro benchmark::benchmark)\n");
  write("CMakeLists.txt", "foreach(folder a b)\nadd_subdirectory(${folder})\nendforeach()\n");
  const Project project = drafted();
  ASSERT_EQ(project.benchmarks.size(), 2U);
  EXPECT_EQ(project.benchmarks[0].name, "micro");
  EXPECT_EQ(project.benchmarks[1].name, "micro-2");
}

TEST_F(Draft, of_a_meson_project_finds_programs_and_google_benchmarks) {
  write("meson.build",
        "project('shop', 'c')\nexecutable('shop', 'main.c') # it's\nsubdir('bench')\n");
  EXPECT_EQ(drafted().benchmarks.at(0).command, "$DRAGNET_BUILD/shop --version");
  write("bench/meson.build",
        "dep = dependency('benchmark', required : false)\n"
        "executable('micro', ['micro.cpp'], dependencies : [dep, benchmark_main])\n");
  const Project project = drafted();
  EXPECT_TRUE(
      project.build.command.starts_with("meson setup --buildtype=debugoptimized $DRAGNET_BUILD"));
  ASSERT_EQ(project.benchmarks.size(), 1U);
  EXPECT_EQ(project.benchmarks[0].suite, Suite::GoogleBenchmark);
  EXPECT_EQ(project.benchmarks[0].command, "$DRAGNET_BUILD/bench/micro");
}

TEST_F(Draft, of_an_autoconf_project_builds_outside_the_source) {
  write("configure.ac", "AC_INIT");
  write("Makefile", "");
  EXPECT_EQ(
      drafted().build.command,
      "autoreconf -fi && (cd $DRAGNET_BUILD && $OLDPWD/configure) && make -C $DRAGNET_BUILD -j2");
  write("configure", "#!/bin/sh");
  EXPECT_EQ(drafted().build.command,
            "(cd $DRAGNET_BUILD && $OLDPWD/configure) && make -C $DRAGNET_BUILD -j2");
}

TEST_F(Draft, of_a_makefile_copies_the_result) {
  write("Makefile", "CFLAGS = -O2\nTARGET := shop\nall: $(TARGET)\n");
  const Project project = drafted();
  EXPECT_EQ(project.build.command, "make -j2 && cp -a . $DRAGNET_BUILD/");
  EXPECT_EQ(project.benchmarks.at(0).command, "$DRAGNET_BUILD/shop --version");
}

TEST_F(Draft, of_a_makefile_finds_google_benchmarks_in_the_sources) {
  write("makefile", "all:\n");
  write("bench/micro.cc", "#include <benchmark/benchmark.h>\nBENCHMARK_MAIN();\n");
  const Project project = drafted();
  EXPECT_EQ(project.benchmarks.at(0).suite, Suite::GoogleBenchmark);
  EXPECT_EQ(project.benchmarks.at(0).command, "$DRAGNET_BUILD/bench/micro");
}

TEST_F(Draft, of_plain_sources_compiles_them) {
  write("shop.c", "int main(void) { return 0; }\n");
  const Project one = drafted();
  EXPECT_EQ(one.build.command, "cc -O2 -g -o $DRAGNET_BUILD/shop shop.c");
  EXPECT_EQ(one.benchmarks.at(0).command, "$DRAGNET_BUILD/shop --version");
  write("util.cpp", "#include <benchmark/benchmark.h>\n");
  const Project two = drafted();
  EXPECT_EQ(two.build.command,
            "c++ -O2 -g -o $DRAGNET_BUILD/program shop.c util.cpp -lbenchmark -lpthread");
  EXPECT_EQ(two.benchmarks.at(0).suite, Suite::GoogleBenchmark);
}

TEST_F(Draft, of_an_unknown_project_says_that_it_must_be_completed) {
  const Project project = drafted();
  EXPECT_TRUE(project.build.command.ends_with("exit 1"));
  EXPECT_EQ(project.benchmarks.at(0).command, "$DRAGNET_BUILD/program --version");
  EXPECT_TRUE(text().contains("# check: replace this; no build system was recognised"));
}

TEST_F(Draft, survives_odd_build_files) {
  for (const auto* odd :
       {"add_executable(", "add_executable()", "add_executable(\"", R"(add_executable("a\"b" c))",
        "add_executable(../../x y.c)", "(((((", "\"", "add_executable(\xFF\xFE x.c)",
        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${ELSEWHERE})\nadd_executable(-x y.c)", "#"}) {
    write("CMakeLists.txt", odd);
    EXPECT_EQ(drafted().benchmarks.at(0).command, "$DRAGNET_BUILD/program --version") << odd;
  }
}

TEST_F(Draft, of_a_folder_with_an_odd_name_leaves_the_name_open) {
  write("a\"b\\/x.c", "");
  const auto text = draft(root() / "a\"b\\");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->contains("[project]\n# name = "));
  EXPECT_TRUE(parse_project(*text, "dragnet.toml", root()));
}

TEST_F(Draft, does_not_depend_on_how_the_root_is_written) {
  write("CMakeLists.txt", "add_subdirectory(src)\n");
  write("src/CMakeLists.txt", "add_executable(shop main.c)\n");
  for (const auto* spelling : {"", "/", "/.", "/src/.."})
    EXPECT_TRUE(draft(root().string() + spelling)->contains("$DRAGNET_BUILD/src/shop")) << spelling;
}

TEST_F(Draft, of_no_folder_is_an_error) {
  const auto text = draft(root() / "absent");
  ASSERT_FALSE(text);
  EXPECT_TRUE(text.error().what.ends_with("absent is not a folder"));
}

} // namespace
} // namespace dragnet::project

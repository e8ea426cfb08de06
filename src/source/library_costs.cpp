#include "source/library_costs.h"

#include "model/source.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

// Containers are as large as those that tests usually have; each trial repeats what it does so
// often.
constexpr std::size_t size = 256;
constexpr int rounds = 7;
constexpr double least_seconds = 0.0005;

// What is computed for nothing must not be left out by the compiler.
template <class T>
void use(const T& value) {
  // NOLINTNEXTLINE(hicpp-no-assembler): no other way keeps a value alive without cost
  asm volatile("" : : "g"(&value) : "memory");
}

double seconds_of(const std::function<void()>& work, std::size_t calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < calls; ++i)
    work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The least time of one call of some work, over rounds that are long enough to be told.
double best_time(const std::function<void()>& work) {
  std::size_t calls = 1;
  while (seconds_of(work, calls) < least_seconds)
    calls *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round)
    best = std::min(best, seconds_of(work, calls) / static_cast<double>(calls));
  return best;
}

class Calibration {
public:
  LibraryCosts run() {
    measure_operation();
    measure_vectors();
    measure_texts();
    measure_maps();
    measure_lists();
    measure_algorithms();
    measure_c();
    return std::move(costs_);
  }

private:
  // A step of a loop: about what the source calls one operation each, five of them.
  void measure_operation() {
    std::vector<int> values(size, 3);
    operation_ = best_time([&] {
                   unsigned sum = 1;
                   for (std::size_t i = 0; i < size; ++i) {
                     sum = sum * 31 + static_cast<unsigned>(values[i]);
                     use(sum);
                   }
                 }) /
                 size / 5;
  }

  // Work that does something so many times, under the names of those that cost the same.
  void note(const std::vector<std::string>& names, double times,
            const std::function<void()>& work) {
    const double cost = best_time(work) / times / operation_;
    for (const std::string& name : names)
      costs_[name] = cost;
  }

  void measure_vectors() {
    const std::vector<int> whole(size, 1);
    note({"std::vector::push_back", "std::vector::emplace_back"}, size, [] {
      std::vector<int> made;
      for (std::size_t i = 0; i < size; ++i)
        made.push_back(static_cast<int>(i)); // NOLINT(performance-inefficient-vector-operation)
      use(made);
    });
    note({"std::vector::vector", "std::vector::operator=", "std::vector::assign",
          "std::vector::resize", "std::vector::reserve", "std::vector::~vector"},
         2, [&] {
           const std::vector<int> copy(whole); // NOLINT(performance-*): it is measured
           use(copy);
         });
    note({"std::vector::insert", "std::vector::erase"}, 2, [&] {
      std::vector<int>& changed = scratch_;
      changed.assign(size, 1);
      changed.insert(changed.begin() + size / 2, 5);
      changed.erase(changed.begin() + size / 2);
      use(changed);
    });
    note({"std::deque::push_back", "std::deque::emplace_back", "std::deque::push_front",
          "std::deque::pop_front", "std::deque::pop_back", "std::queue::push", "std::queue::pop",
          "std::stack::push", "std::stack::pop"},
         2.0 * size, [] {
           std::deque<int> queue;
           for (std::size_t i = 0; i < size; ++i)
             queue.push_back(static_cast<int>(i));
           while (!queue.empty())
             queue.pop_front();
           use(queue);
         });
  }

  void measure_texts() {
    const std::string text = "a text that does not fit into a short string";
    note({"std::basic_string::basic_string",
          "std::basic_string::operator=", "std::basic_string::assign", "std::basic_string::substr"},
         1, [&] {
           const std::string copy(text); // NOLINT(performance-*): it is measured
           use(copy);
         });
    note({"std::basic_string::append",
          "std::basic_string::operator+=", "std::basic_string::push_back"},
         size, [&] {
           std::string made;
           for (std::size_t i = 0; i < size; ++i)
             made += 'x';
           use(made);
         });
    note({"std::operator+"}, 1, [&] {
      const std::string sum = text + "more";
      use(sum);
    });
    note({"std::basic_string::find", "std::basic_string::rfind", "std::basic_string::compare",
          "std::operator==", "std::operator<", "std::operator!="},
         2, [&] {
           use(text.find('?'));
           use(text.compare("a text that does not fit into a short strinG"));
         });
    note({"std::to_string", "std::stoi", "std::stol", "std::stoul"}, 1,
         [] { use(std::to_string(123456)); });
  }

  void measure_maps() {
    std::map<int, int> tree;
    std::unordered_map<int, int> table;
    for (int i = 0; i < static_cast<int>(size); ++i)
      tree[i * 7] = table[i * 7] = i;
    std::vector<std::string> tree_names;
    std::vector<std::string> table_names;
    for (const char* method : {"find", "operator[]", "at", "count", "contains", "lower_bound",
                               "upper_bound", "insert", "emplace", "try_emplace", "erase"})
      for (const char* kind : {"map", "set", "multimap", "multiset"}) {
        tree_names.push_back(std::string("std::") + kind + "::" + method);
        table_names.push_back(std::string("std::unordered_") + kind + "::" + method);
      }
    note(tree_names, size, [&] {
      for (int i = 0; i < static_cast<int>(size); ++i)
        use(tree.find(i * 5));
    });
    note(table_names, size, [&] {
      for (int i = 0; i < static_cast<int>(size); ++i)
        use(table.find(i * 5));
    });
    measure_nodes();
  }

  // What is added or removed costs memory, too.
  void measure_nodes() {
    note({"std::map::operator[]", "std::map::insert", "std::map::emplace", "std::map::erase",
          "std::map::try_emplace", "std::set::insert", "std::set::emplace", "std::set::erase"},
         2.0 * size, [] {
           std::map<int, int> made;
           for (int i = 0; i < static_cast<int>(size); ++i)
             made[i * 37 % 1009] = i;
           for (int i = 0; i < static_cast<int>(size); ++i)
             made.erase(i * 37 % 1009);
           use(made);
         });
    note({"std::unordered_map::operator[]", "std::unordered_map::insert",
          "std::unordered_map::emplace", "std::unordered_map::erase",
          "std::unordered_map::try_emplace", "std::unordered_set::insert",
          "std::unordered_set::emplace", "std::unordered_set::erase"},
         2.0 * size, [] {
           std::unordered_map<int, int> made;
           for (int i = 0; i < static_cast<int>(size); ++i)
             made[i * 37] = i;
           for (int i = 0; i < static_cast<int>(size); ++i)
             made.erase(i * 37);
           use(made);
         });
  }

  void measure_lists() {
    note({"std::list::push_back", "std::list::emplace_back", "std::list::push_front",
          "std::list::insert", "std::list::erase", "std::list::pop_front", "std::list::pop_back",
          "std::forward_list::push_front"},
         2.0 * size, [] {
           std::list<int> made;
           for (std::size_t i = 0; i < size; ++i)
             made.push_back(static_cast<int>(i));
           while (!made.empty())
             made.pop_front();
           use(made);
         });
    note({"std::make_unique", "std::make_shared", "operator new", "operator delete", "malloc",
          "calloc", "free", "realloc"},
         2, [] {
           const auto made = std::make_unique<std::pair<long, long>>();
           use(*made);
         });
  }

  // For each element.
  void measure_algorithms() {
    std::vector<int> mixed(size);
    for (std::size_t i = 0; i < size; ++i)
      mixed[i] = static_cast<int>(i * 7919 % 1009);
    note(
        {"std::sort", "std::stable_sort", "std::ranges::sort", "std::ranges::stable_sort", "qsort"},
        size, [&] {
          scratch_ = mixed;
          std::ranges::sort(scratch_);
          use(scratch_);
        });
    note({"std::find",           "std::find_if",         "std::count",
          "std::count_if",       "std::accumulate",      "std::for_each",
          "std::any_of",         "std::all_of",          "std::none_of",
          "std::copy",           "std::transform",       "std::fill",
          "std::reverse",        "std::max_element",     "std::min_element",
          "std::ranges::find",   "std::ranges::find_if", "std::ranges::count_if",
          "std::ranges::any_of", "std::ranges::all_of",  "std::ranges::none_of"},
         size, [&] { use(std::accumulate(mixed.begin(), mixed.end(), 0)); });
  }

  void measure_c() {
    const std::string text(64, 'x');
    const std::string same(64, 'x');
    std::string room(128, ' ');
    note({"strlen", "strcmp", "strncmp", "memcmp", "memcpy", "memmove", "memset", "strcpy",
          "strchr", "strrchr", "strncpy", "strcat", "strdup", "memchr"},
         3, [&] {
           use(std::strlen(text.c_str()));
           use(std::strcmp(text.c_str(), same.c_str()));
           use(std::memcpy(room.data(), text.data(), text.size()));
         });
    note({"snprintf", "sprintf", "printf", "fprintf", "vsnprintf", "sscanf", "strtod", "atof"}, 1,
         [&] { use(std::snprintf(room.data(), room.size(), "%d %s", 12345, "word")); });
    note({"atoi", "strtol", "strtoul", "atol"}, 1, [] { use(std::strtol("123456", nullptr, 10)); });
  }

  LibraryCosts costs_;
  std::vector<int> scratch_;
  double operation_ = 1e-9;
};

} // namespace

LibraryCosts measured_library() {
  return Calibration().run();
}

} // namespace dragnet::source

// Calls through virtual functions, function objects and exceptions.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual unsigned area(unsigned scale) const = 0;
};

struct Square final : Shape {
  unsigned side;
  explicit Square(unsigned s) : side(s) {}
  unsigned area(unsigned scale) const override { return side * side * scale; }
};

struct Strip final : Shape {
  unsigned length;
  explicit Strip(unsigned l) : length(l) {}
  unsigned area(unsigned scale) const override {
    if (length % 7 == 3)
      throw std::runtime_error("a strip is too long");
    return length * scale;
  }
};

__attribute__((noinline)) unsigned total(const std::vector<std::unique_ptr<Shape>>& shapes) {
  unsigned sum = 0;
  for (const auto& shape : shapes) {
    try {
      sum += shape->area(3);
    } catch (const std::exception& problem) {
      sum += static_cast<unsigned>(problem.what()[0]);
    }
  }
  return sum;
}

} // namespace

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (unsigned i = 0; i < 100; ++i)
    if (i % 2 == 0)
      shapes.push_back(std::make_unique<Square>(i));
    else
      shapes.push_back(std::make_unique<Strip>(i));
  unsigned sum = total(shapes);
  std::map<std::string, unsigned> words;
  for (unsigned i = 0; i < 300; ++i)
    words["word" + std::to_string(i * 7919 % 1000)] += i;
  const std::function<unsigned(unsigned)> twice = [](unsigned value) { return value * 2; };
  for (const auto& [word, count] : words)
    sum += twice(count) + static_cast<unsigned>(word.size());
  std::vector<unsigned> numbers(2000);
  for (unsigned i = 0; i < 2000; ++i)
    numbers[i] = i * 2654435761U;
  std::ranges::sort(numbers);
  std::printf("%u %u\n", sum, numbers[1000]);
}

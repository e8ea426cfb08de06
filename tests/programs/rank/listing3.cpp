// A new loop over a collection that a known loop walks (PerfRanker, Listing 3).
#include <cstdlib>
#include <string>
#include <vector>

struct Serializer {
  std::vector<std::string> mappings;

  int length(const std::string& text) {
    int sum = 0;
    for (char letter : text)
      sum = sum * 2 + letter;
    return sum;
  }

  int known() {
    int sum = 0;
    for (const std::string& one : mappings)
      sum += length(one);
    return sum;
  }

  int declare() {
    int sum = 0;
#ifdef COMMIT
    const int declarations = (int)mappings.size();
    for (int i = 0; i < declarations; i++)
      sum += length(mappings[i]);
#endif
    return sum;
  }
};

int prepare(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; i++)
    sum = sum * 3 + i;
  return sum;
}

int main(int count, char** arguments) {
  const int size = count > 1 ? std::atoi(arguments[1]) : 10;
  Serializer serializer;
  serializer.mappings.assign(size, "prefix");
  return prepare(4000) + serializer.known() + serializer.declare() == 42;
}

// A new loop over a collection that a known loop fills (PerfRanker, Listing 1). The commit is what
// COMMIT switches on; the argument is the size.
#include <algorithm>
#include <cstdlib>
#include <vector>

struct Limit {
  explicit Limit(int at) : at(at) {}
  int at;
};

struct Arc {
  Arc(const Limit& from, const Limit& to) : length(to.at - from.at) {
    for (int i = 0; i < 8; i++)
      length = length * 31 + i;
  }
  int length;
};

struct Region {
  std::vector<Limit> limits;
  std::vector<Arc> list;

  void read(int size) {
    int i = 0;
    while (i < size) {
      limits.push_back(Limit((i * 7919) % 1000));
      i++;
    }
#ifdef COMMIT
    std::sort(limits.begin(), limits.end(),
              [](const Limit& a, const Limit& b) { return a.at < b.at; });
    for (int k = 0; k < (int)limits.size() - 1; k++)
      list.push_back(Arc(limits[k], limits[k + 1]));
#endif
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
  int sum = prepare(3000);
  const Arc known(Limit(1), Limit(2));
  Region region;
  region.read(size);
  for (const Arc& arc : region.list)
    sum += arc.length;
  return (sum + known.length) == 42;
}

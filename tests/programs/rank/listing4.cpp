// A check at the beginning that throws (PerfRanker, Listing 4, challenging).
#include <cstdlib>
#include <vector>

struct Optimizer {
  std::vector<int> points;
  int sum = 0;

#ifdef COMMIT
  void check() {
    int negative = 0;
    for (int point : points)
      if (point < 0)
        negative++;
    if (negative > 0)
      throw 1;
  }
#endif

  int step(int point) { return sum * 3 + point; }

  int optimize() {
#ifdef COMMIT
    check();
#endif
    for (int round = 0; round < 20; round++)
      for (int point : points)
        sum = step(point);
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
  Optimizer optimizer;
  for (int i = 0; i < size; i++)
    optimizer.points.push_back(i);
  try {
    return prepare(5000) + optimizer.optimize() == 42;
  } catch (int) {
    return 1;
  }
}

// A new loop that correlates with nothing, and a recursion (PerfRanker, Listing 5, challenging).
#include <cstdlib>

struct Random {
  unsigned state = 1;

  unsigned draw() {
    state = state * 1664525U + 1013904223U;
    return state >> 8;
  }

  unsigned next(unsigned lower, unsigned upper) {
#ifdef COMMIT
    while (true) {
      const unsigned drawn = draw() % 64;
      if (drawn >= lower && drawn <= upper)
        return drawn;
    }
#else
    return lower + draw() % (upper - lower + 1);
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
  Random random;
  unsigned sum = (unsigned)prepare(1000);
  for (int i = 0; i < size; i++)
    sum += random.next(8, 15);
  return sum == 42;
}

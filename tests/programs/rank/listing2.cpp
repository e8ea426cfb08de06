// Calls of known functions are added in a known loop (PerfRanker, Listing 2).
#include <cstdlib>
#include <vector>

struct Value {
  int text = 1;
  int fixups = 0;

  void fix(int names) {
    for (int i = 0; i < names; i++)
      fixups = fixups * 5 + i;
  }
};

struct Element {
  std::vector<Value> values;

  int compose(int names) {
    int sum = 0;
    const int count = (int)values.size();
    for (int i = count - 1; i >= 0; i--) {
      sum += values[i].text;
#ifdef COMMIT
      Value& value = values[i];
      value.fix(names);
#endif
    }
    return sum + names;
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
  Element element;
  element.values.resize(size);
  Value one;
  one.fix(12);
  return prepare(2000) + element.compose(12) + one.fixups == 42;
}

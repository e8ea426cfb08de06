// A shared library whose functions a program calls, and which calls back.
unsigned shared_sum(unsigned (*each)(unsigned), unsigned count) {
  unsigned sum = 0;
  for (unsigned i = 0; i < count; ++i)
    sum += each(i);
  return sum;
}

unsigned shared_step(unsigned value) {
  return value * 3 + 1;
}

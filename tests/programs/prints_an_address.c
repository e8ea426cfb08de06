/* Prints where its stack, its heap and its code lie. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int on_stack = 0;
  printf("%p %p %p\n", (void*)&on_stack, malloc(1000000), (void*)main);
  return 0;
}

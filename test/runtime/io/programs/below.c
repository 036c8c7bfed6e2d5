// Writes a byte at each of many depths.
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) static void deep(int depth, int file) {
  write(file, "x", 1);
  if (depth > 1) deep(depth - 1, file);
  __asm__ volatile("");
}

int main(void) {
  deep(400, open("/dev/null", O_WRONLY));
  return 3;
}

// Opens a measured library while it runs, and writes once: the runtime reads its selection, and changes the library's code, meanwhile.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static int opens(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  int (*writes)(int) = library ? (int (*)(int))dlsym(library, "writes") : 0;
  return writes ? writes(1) : -1;
}

int main(int count, char **words) {
  int written = count > 1 ? opens(words[1]) : -1;
  if (written != 9) fprintf(stderr, "%s\n", dlerror());
  return written == 9 ? 3 : 1;
}

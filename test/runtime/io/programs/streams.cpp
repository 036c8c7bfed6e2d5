// Streams of C++, which read and write by calls of their library.
#include <cstdio>
#include <fstream>
#include <vector>

__attribute__((noinline)) static long streams(const char *path) {
  std::vector<char> data(1 << 20, 'x');
  std::ofstream(path, std::ios::binary).write(data.data(), static_cast<std::streamsize>(data.size()));
  std::ifstream back(path, std::ios::binary);
  back.read(data.data(), static_cast<std::streamsize>(data.size()));
  return static_cast<long>(back.gcount());
}

int main(int count, char **words) {
  if (count < 2) return 1;
  const long read = streams(words[1]);
  std::remove(words[1]);
  return read == 1 << 20 ? 3 : 1;
}

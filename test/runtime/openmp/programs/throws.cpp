// Throws inside constructs, and catches there.
#include <cstdio>
#include <omp.h>

int main() {
  long caught = 0;
#pragma omp parallel num_threads(2) reduction(+ : caught)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; ++i) {
      try {
#pragma omp critical
        {
          try {
            throw i;
          } catch (int) {
            ++caught;
          }
        }
        throw 1.0;
      } catch (double) {
        ++caught;
      }
    }
  }
  std::printf("= !$omp critical\t12\t20\n= !$omp for\t9\t2\n= !$omp parallel\t7\t2\ncaught %ld\n", caught);
  return caught == 40 ? 3 : 1;
}

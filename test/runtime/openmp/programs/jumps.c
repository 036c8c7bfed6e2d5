// A function that ends with a parallel region: the compiler calls the library by a jump.
#include <omp.h>

volatile int sum;

__attribute__((noinline)) void jumps(void) {
#pragma omp parallel
    {
#pragma omp critical
        sum += omp_get_thread_num();
    }
}

int main(void) {
    jumps();
    return sum == 1 ? 0 : 1;
}

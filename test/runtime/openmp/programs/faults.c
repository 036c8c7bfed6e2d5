// Ends, or uses OpenMP, in the way that its argument names.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char *a, const char *b) { return !strcmp(a, b); }

static long sum_of(int threads) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
  for (int i = 0; i < 1000; ++i) sum += i;
  return sum;
}

static int cancelled(void) {
  int found = 0;
  long after = 0;
#pragma omp parallel num_threads(2) shared(found)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) {
      if (i == 10) {
#pragma omp atomic write
        found = 1;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 100; ++i) {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
      }
    }
#ifndef __clang__ // LLVM's library hangs in the next region, also unmeasured.
#pragma omp cancel parallel
#endif
#pragma omp atomic
    ++after;
  }
  printf("cancelled %d\n", found);
  return (int)sum_of(2) % 100;
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  int status = 0;
  if (is(how, "exit")) {
    printf("%ld\n", sum_of(2));
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
      if (omp_get_thread_num() == 0) {
        fflush(stdout);
        _Exit(7);
      }
    }
  }
  if (is(how, "abort")) {
#pragma omp parallel num_threads(2)
#pragma omp critical
    abort();
  }
  if (is(how, "fork")) {
    printf("%ld\n", sum_of(2));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      printf("child %ld\n", sum_of(1));
      exit(4);
    }
    waitpid(child, &status, 0);
    printf("%d %ld\n", WEXITSTATUS(status), sum_of(2));
    return WEXITSTATUS(status);
  }
  if (is(how, "cancel")) return cancelled();
  if (is(how, "many")) {
    long sum = 0;
    for (int i = 0; i < 20; ++i) sum += sum_of(16);
    printf("%ld\n", sum);
    return 5;
  }
  if (is(how, "shell")) { // Another program inherits the layer.
    printf("%ld\n", sum_of(2));
    fflush(stdout);
    return WEXITSTATUS(system("echo other; exit 6"));
  }
  return 0;
}

#include "work.h"

#include <stdio.h>

static long calls[workers];
static double sum;

void work(enum worker who) {
    calls[who]++;
    for (int i = 1; i <= additions; i++) sum += 1.0 / (calls[who] + i);
}

/* The sum cannot be known without the work. */
void print_work(void) {
    printf("visits on each rank:");
    for (int who = 0; who < workers; who++) printf(" %ld", calls[who]);
    printf(", sum %g\n", sum);
}

#include "work.h"

static long calls;
static double sum;

void work(void) {
    calls++;
    for (int i = 1; i <= additions; i++) sum += 1.0 / (calls + i);
}

long calls_of_work(void) { return calls; }

double sum_of_work(void) { return sum; }

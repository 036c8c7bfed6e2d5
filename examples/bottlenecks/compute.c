/* Functions that compute for long. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bottlenecks.h"
#include "ordinary.h"
#include "work.h"

/* --- deep: each of the callers does next to nothing itself --- */

static own void factor_block(int block) { WORK(13, 0.11 * block); }

static own void sweep_blocks(void) {
    for (int block = 0; block < 5; block++) factor_block(block);
}

static own void precondition(void) {
    for (int side = 0; side < 2; side++) sweep_blocks();
}

static own void iterate(void) {
    for (int iteration = 0; iteration < 2; iteration++) precondition();
}

static own void solve_pressure(int *solved) {
    iterate();
    ++*solved;
}

void deep(const team *t) {
    static int solved;
    (void)t;
    ordinary(40);
    solve_pressure(&solved);
}

/* --- hidden: no caller of look_up has the share that the hypothesis asks for, all three together have it --- */

static own void look_up(void) { WORK(13, 0.12); }

static own void pressure_force(void) {
    for (int table = 0; table < 6; table++) look_up();
    WORK(4, 0.13);
}

static own void viscous_force(void) {
    for (int table = 0; table < 6; table++) look_up();
    WORK(4, 0.14);
}

static own void body_force(void) {
    for (int table = 0; table < 6; table++) look_up();
    WORK(4, 0.15);
}

void hidden(const team *t) {
    (void)t;
    ordinary(56);
    pressure_force();
    viscous_force();
    body_force();
}

/* --- single-rank: rank 2 spends in one function what the others spend in several, so that nobody waits --- */

static own void repair_mesh(void) { WORK(264, 0.16); }

void single_rank(const team *t) {
    if (t->rank == 2 % t->ranks) repair_mesh();
    else ordinary(264);
    ordinary(40);
}

/* --- memory: nearly each access is to a line that no cache has --- */

enum { value_count = 1 << 23, gathered = 3000 * 1000 }; /* 64 MiB */

static double *values;

static own void fill_values(void) {
    values = malloc(value_count * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "bottlenecks: no memory for 64 MiB of values\n");
        exit(1);
    }
    for (int i = 0; i < value_count; i++) values[i] = i;
}

static own void gather_values(void) {
    static uint32_t at;
    double sum = 0;
    for (int i = 0; i < gathered; i++) {
        at = at * 1664525u + 1013904223u; /* as good as random */
        sum += values[at >> 9];
    }
    volatile double result = sum;
    (void)result;
}

void memory(const team *t) {
    (void)t;
    if (values == NULL) fill_values();
    ordinary(40);
    gather_values();
}

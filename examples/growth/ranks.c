#include "ranks.h"

#include <mpi.h>

#include "work.h"

#define own __attribute__((noinline))

/* 1 + log2(p) */
static own void reduce_level(void) { work(REDUCE_LEVEL); }

void reduce(int ranks) {
    for (int level = 1; level <= ranks; level *= 2) reduce_level();
    double mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* p */
static own void exchange_with_rank(void) { work(EXCHANGE_WITH_RANK); }

void exchange(int ranks) {
    for (int other = 0; other < ranks; other++) exchange_with_rank();
}

/* p n */
static own void gather_row(void) { work(GATHER_ROW); }

void gather(int ranks, int n) {
    for (int other = 0; other < ranks; other++)
        for (int row = 0; row < n; row++) gather_row();
}

/* n + 32 p */
static own void balance_part(void) { work(BALANCE_PART); }

void balance(int ranks, int n) {
    for (int part = 0; part < n + 32 * ranks; part++) balance_part();
}

/*
 * A program with one bottleneck, which is chosen by its name (README.md).
 *
 *     mpirun -n 4 ./bottlenecks NAME [steps]
 *     ./bottlenecks --list
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bottlenecks.h"

static const bottleneck bottlenecks[] = {
    {"deep", deep},
    {"hidden", hidden},
    {"single-rank", single_rank},
    {"memory", memory},
    {"late-sender", late_sender},
    {"late-receiver", late_receiver},
    {"slow-rank", slow_rank},
    {"imbalance", imbalance},
    {"barrier", barrier},
    {"lock", lock},
    {"serial", serial},
    {"large-io", large_io},
    {"small-io", small_io},
    {"none", none},
};
enum { bottleneck_count = sizeof bottlenecks / sizeof bottlenecks[0] };

static const bottleneck *find(const char *name) {
    for (int i = 0; i < bottleneck_count; i++)
        if (strcmp(bottlenecks[i].name, name) == 0) return &bottlenecks[i];
    return NULL;
}

/* A visit of this function is an iteration. */
static __attribute__((noinline)) void time_step(const bottleneck *b, const team *t, int step) {
    b->step(t);
    /* Ranks meet seldom, so that small differences between them even out. */
    if (step % 20 == 0) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "--list") == 0) {
        for (int i = 0; i < bottleneck_count; i++) puts(bottlenecks[i].name);
        return 0;
    }
    int provided;
    team t;
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t.ranks);
    const bottleneck *b = count > 1 ? find(words[1]) : NULL;
    const int steps = count > 2 ? atoi(words[2]) : 60;
    if (b == NULL || steps < 1) {
        if (t.rank == 0) fprintf(stderr, "usage: bottlenecks NAME [steps], or bottlenecks --list for the names\n");
        MPI_Finalize();
        return 2;
    }
    const double begin = MPI_Wtime();
    for (int step = 1; step <= steps; step++) time_step(b, &t, step);
    MPI_Barrier(MPI_COMM_WORLD);
    if (t.rank == 0) printf("%s: %d steps on %d ranks, %.2f s\n", b->name, steps, t.ranks, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}

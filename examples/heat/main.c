/*
 * A plate burns from the middle of its upper edge: heat flows between cells (the same work on every rank), and hot cells burn (twelve
 * small steps of each). The ranks hold bands of rows, and the burning half disc grows within the first band: the work of rank 0 grows from
 * step to step, and the other ranks wait for it.
 *
 *     mpirun -n 2 ./heat [cells per side] [steps]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "plate.h"
#include "step.h"

static double total_heat(const plate *p) {
    double own = plate_heat(p), all = 0.0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The truth about the imbalance, counted: how many of the burning cells were those of one rank. */
static void print_truth(long burnt_early, long burnt_late, int rank) {
    const long own[2] = {burnt_early, burnt_late};
    long most[2], sum[2];
    MPI_Reduce(own, most, 2, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, sum, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank != 0) return;
    static const char *const halves[2] = {"first", "second"};
    for (int i = 0; i < 2; i++)
        printf("%s half of the steps: %ld burning cells, %ld of them on one rank\n", halves[i], sum[i], most[i]);
}

int main(int argc, char **argv) {
    int provided, rank, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int side = argc > 1 ? atoi(argv[1]) : 640;
    const int steps = argc > 2 ? atoi(argv[2]) : 1250;
    plate p;
    if (side < 16 || side < 4 * ranks || steps < 1 || !plate_create(&p, side, rank, ranks)) {
        if (rank == 0) fprintf(stderr, "usage: heat [cells per side, 16 or more, and 4 for each rank] [steps]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    plate_ignite(&p);
    double heat = total_heat(&p);
    long early = 0, late = 0;
    for (int step = 0; step < steps; step++) {
        const long burning = advance(&p, rank, ranks);
        if (2 * step < steps) early += burning;
        else late += burning;
        if (step % 20 != 19) continue;
        const double before = heat;
        heat = total_heat(&p);
        if (!(heat >= before - 1e-9 * fabs(before))) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    heat = total_heat(&p);
    if (rank == 0) printf("heat %.6f\n", heat);
    print_truth(early, late, rank);
    plate_destroy(&p);
    MPI_Finalize();
    return 0;
}

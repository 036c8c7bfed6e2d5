#include "step.h"

#include <mpi.h>

#include "burn.h"

/* Fills the border rows with those of the neighbours, or with the own ones at the edge of the plate. */
static void exchange_borders(plate *p, int rank, int ranks) {
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *first = &p->now[plate_index(p, 1, 1)], *last = &p->now[plate_index(p, p->rows, 1)];
    double *above = &p->now[plate_index(p, 0, 1)], *below = &p->now[plate_index(p, p->rows + 1, 1)];
    MPI_Sendrecv(first, p->side, MPI_DOUBLE, up, 1, below, p->side, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, p->side, MPI_DOUBLE, down, 2, above, p->side, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int column = 0; column < p->side; column++) {
        if (up == MPI_PROC_NULL) above[column] = first[column];
        if (down == MPI_PROC_NULL) below[column] = last[column];
    }
}

long advance(plate *p, int rank, int ranks) {
    exchange_borders(p, rank, ranks);
    plate_conduct(p);
    return burn(p);
}

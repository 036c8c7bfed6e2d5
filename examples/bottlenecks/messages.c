/* Ranks that wait for others in MPI. */
#include <mpi.h>

#include "bottlenecks.h"
#include "ordinary.h"
#include "work.h"

enum { field_size = 2048 };

static double field[field_size];

/* A loop in each function that waits: the first selection leaves out functions that have nothing but a few statements. */
#define USE_FIELD()                                                                                \
    for (int i = 0; i < field_size; i++) field[i] += 1.0

/* --- late-sender: rank 0 computes before it sends, and the others wait for its message --- */

static own void prepare_field(void) { WORK(240, 0.21); }

static own void send_field(int ranks) {
    for (int to = 1; to < ranks; to++) MPI_Send(field, field_size, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
}

static own void receive_field(void) {
    MPI_Recv(field, field_size, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    USE_FIELD();
}

void late_sender(const team *t) {
    if (t->rank == 0) {
        prepare_field();
        send_field(t->ranks);
    } else {
        receive_field();
    }
    ordinary(56);
}

/* --- late-receiver: rank 0 computes before it receives, and the others wait for it to take their messages --- */

static own void digest_results(void) { WORK(240, 0.22); }

static own void receive_results(int ranks) {
    for (int from = 1; from < ranks; from++)
        MPI_Recv(field, field_size, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    USE_FIELD();
}

static own void send_result(void) {
    MPI_Ssend(field, field_size, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    USE_FIELD();
}

void late_receiver(const team *t) {
    ordinary(56);
    if (t->rank == 0) {
        digest_results();
        receive_results(t->ranks);
    } else {
        send_result();
    }
}

/* --- slow-rank: the last rank does something that the others do not, and comes last to a collective operation --- */

static own void rebuild_neighbours(void) { WORK(240, 0.23); }

static own void agree_on_step(void) {
    double mine = field[0], least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    USE_FIELD();
    field[1] = least;
}

void slow_rank(const team *t) {
    ordinary(56);
    if (t->rank == t->ranks - 1) rebuild_neighbours();
    agree_on_step();
}

/* --- imbalance: all ranks relax their cells, and rank 1 has six times as many as the others --- */

static own void relax_cells(int cells) { WORK(cells, 0.24); }

static own void sum_residuals(void) {
    double mine = field[0], all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    USE_FIELD();
    field[2] = all;
}

void imbalance(const team *t) {
    ordinary(40);
    relax_cells(t->rank == 1 % t->ranks ? 240 : 40);
    sum_residuals();
}

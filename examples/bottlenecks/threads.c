/* OpenMP threads that wait for others, or have nothing to do. */
#include "bottlenecks.h"
#include "ordinary.h"
#include "work.h"

/* On all threads, so that it is no serial part. */
static own void ordinary_on_all_threads(void) {
#pragma omp parallel
    ordinary(24);
}

/* --- barrier: the last quarter of the rows is the expensive one, and belongs to the last thread --- */

enum { rows = 16 };

static own void sweep_row(int row) { WORK(row < rows / 4 * 3 ? 3 : 54, 0.31); }

static own void sweep_rows(void) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) sweep_row(row);
}

void barrier(const team *t) {
    (void)t;
    ordinary_on_all_threads();
    sweep_rows();
}

/* --- lock: threads do nearly all of their work one after the other --- */

static own void add_to_histogram(int event) { WORK(10, 0.32 + event); }

static own void bin_events(void) {
    /* A thread that gets the lock again and again does not wait for the other ones at the end. */
#pragma omp parallel for schedule(dynamic)
    for (int event = 0; event < 24; event++) {
        WORK(1, 0.33);
#pragma omp critical(histogram)
        add_to_histogram(event);
    }
}

void lock(const team *t) {
    (void)t;
    ordinary_on_all_threads();
    bin_events();
}

/* --- serial: one thread assembles, the others have nothing to do meanwhile --- */

static own void assemble_matrix(void) { WORK(240, 0.34); }

void serial(const team *t) {
    (void)t;
    assemble_matrix();
    ordinary_on_all_threads();
}

#include "burn.h"

/* A cell that is cooler than this does not burn. */
static const double ignition = 0.02;
static const double rate = 0.05;
/* The reaction is faster than the flow of heat, so it is followed in smaller steps. */
enum { substeps = 12 };

static double burn_cell(double temperature) {
    for (int i = 0; i < substeps; i++) temperature += rate / substeps * temperature * (1.0 - temperature);
    return temperature;
}

static long burn_row(plate *p, int row) {
    long burning = 0;
    double *cells = &p->now[plate_index(p, row, 0)];
    for (int column = 1; column <= p->side; column++) {
        if (cells[column] < ignition) continue;
        cells[column] = burn_cell(cells[column]);
        burning++;
    }
    return burning;
}

long burn(plate *p) {
    long burning = 0;
    /* Rows differ, so the threads take them as they go: ranks are out of balance here, threads are not. */
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : burning)
    for (int row = 1; row <= p->rows; row++) burning += burn_row(p, row);
    return burning;
}

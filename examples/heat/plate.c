#include "plate.h"

#include <stdlib.h>

/* Conductivity * time step / cell size^2; above 1/4 the method is unstable. */
static const double diffusion = 0.2;

int plate_create(plate *p, int side, int rank, int ranks) {
    const int last = (int)((long)side * (rank + 1) / ranks);
    p->side = side;
    p->first = (int)((long)side * rank / ranks);
    p->rows = last - p->first;
    const size_t cells = (size_t)(p->rows + 2) * (size_t)(side + 2);
    p->now = calloc(cells, sizeof *p->now);
    p->next = calloc(cells, sizeof *p->next);
    return p->now != NULL && p->next != NULL;
}

void plate_destroy(plate *p) {
    free(p->now);
    free(p->next);
}

void plate_ignite(plate *p) {
    for (int row = 1; row <= p->rows && p->first + row <= 4; row++)
        for (int column = p->side / 2 - 4; column < p->side / 2 + 4; column++)
            p->now[plate_index(p, row, column)] = 1.0;
}

/* No heat leaves the plate: a cell outside of it is as warm as the one inside. */
static void insulate(plate *p, int row) {
    p->now[plate_index(p, row, 0)] = p->now[plate_index(p, row, 1)];
    p->now[plate_index(p, row, p->side + 1)] = p->now[plate_index(p, row, p->side)];
}

static void conduct_row(const plate *p, int row) {
    const double *above = &p->now[plate_index(p, row - 1, 0)];
    const double *own = &p->now[plate_index(p, row, 0)];
    const double *below = &p->now[plate_index(p, row + 1, 0)];
    double *to = &p->next[plate_index(p, row, 0)];
    for (int column = 1; column <= p->side; column++) {
        const double around = above[column] + below[column] + own[column - 1] + own[column + 1];
        to[column] = own[column] + diffusion * (around - 4.0 * own[column]);
    }
}

void plate_conduct(plate *p) {
#pragma omp parallel for schedule(static)
    for (int row = 1; row <= p->rows; row++) {
        insulate(p, row);
        conduct_row(p, row);
    }
    double *now = p->now;
    p->now = p->next;
    p->next = now;
}

double plate_heat(const plate *p) {
    double sum = 0.0;
    for (int row = 1; row <= p->rows; row++)
        for (int column = 1; column <= p->side; column++) sum += p->now[plate_index(p, row, column)];
    return sum;
}

/* The rows of a square plate that one rank holds, with a border of one cell. */
#ifndef PLATE_H
#define PLATE_H
#include <stddef.h>

typedef struct {
    int side;      /* cells per side of the whole plate */
    int first;     /* first row of this rank, from 0 */
    int rows;      /* rows of this rank */
    double *now;   /* (rows + 2) * (side + 2): temperatures, 0 is cold and 1 is burnt */
    double *next;
} plate;

/* Returns 0 if there is not enough memory. */
int plate_create(plate *p, int side, int rank, int ranks);
void plate_destroy(plate *p);

static inline size_t plate_index(const plate *p, int row, int column) {
    return (size_t)row * (size_t)(p->side + 2) + (size_t)column;
}

/* Sets what burns at the beginning: a small spot at the upper edge, which rank 0 holds. */
void plate_ignite(plate *p);

/* One step without a source: heat flows between neighbouring cells. */
void plate_conduct(plate *p);

/* Sum of the temperatures of this rank. */
double plate_heat(const plate *p);
#endif

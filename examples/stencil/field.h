/* A square field of temperatures with a border of one cell. */
#ifndef FIELD_H
#define FIELD_H
#include <stddef.h>

typedef struct {
    size_t n;      /* inner cells per side */
    double *cells; /* (n + 2) * (n + 2) */
} field;

int field_create(field *f, size_t n);
void field_destroy(field *f);
void field_border(field *f, double top, double bottom);

static inline double *field_at(const field *f, size_t row, size_t column) {
    return &f->cells[row * (f->n + 2) + column];
}

#endif

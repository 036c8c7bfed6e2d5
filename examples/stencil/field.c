#include "field.h"

#include <stdlib.h>

int field_create(field *f, size_t n) {
    f->n = n;
    f->cells = calloc((n + 2) * (n + 2), sizeof *f->cells);
    return f->cells != NULL;
}

void field_destroy(field *f) {
    free(f->cells);
    f->cells = NULL;
}

void field_border(field *f, double top, double bottom) {
    for (size_t column = 0; column < f->n + 2; column++) {
        *field_at(f, 0, column) = top;
        *field_at(f, f->n + 1, column) = bottom;
    }
}

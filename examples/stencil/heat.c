/* Heat in a plate: Jacobi sweeps with OpenMP, a residual every few sweeps, a coarse correction now and then. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "field.h"

typedef double (*source_function)(size_t row, size_t column, size_t n);

static double no_source(size_t row, size_t column, size_t n) {
    (void)row;
    (void)column;
    (void)n;
    return 0.0;
}

static double hot_corner(size_t row, size_t column, size_t n) {
    return row < n / 8 && column < n / 8 ? 0.001 : 0.0;
}

static void sweep_row(const field *from, field *to, size_t row, source_function source) {
    const size_t n = from->n;
    for (size_t column = 1; column <= n; column++) {
        const double around = *field_at(from, row - 1, column) + *field_at(from, row + 1, column) +
                              *field_at(from, row, column - 1) + *field_at(from, row, column + 1);
        *field_at(to, row, column) = 0.25 * around;
    }
    if (row % 16 == 0)
        for (size_t column = 1; column <= n; column += 16) *field_at(to, row, column) += source(row, column, n);
}

static void sweep(const field *from, field *to, source_function source) {
#pragma omp parallel for schedule(static)
    for (size_t row = 1; row <= from->n; row++) sweep_row(from, to, row, source);
}

static double residual(const field *a, const field *b) {
    double largest = 0.0;
#pragma omp parallel for reduction(max : largest)
    for (size_t row = 1; row <= a->n; row++) {
        for (size_t column = 1; column <= a->n; column++) {
            const double difference = fabs(*field_at(a, row, column) - *field_at(b, row, column));
            if (difference > largest) largest = difference;
        }
    }
    return largest;
}

static void swap_fields(field *a, field *b) {
    const field t = *a;
    *a = *b;
    *b = t;
}

static double checksum(const field *f) {
    double sum = 0.0;
    for (size_t row = 1; row <= f->n; row++)
        for (size_t column = 1; column <= f->n; column++) sum += *field_at(f, row, column);
    return sum;
}

static double solve(field *now, field *next, int sweeps, source_function source) {
    double change = 0.0;
    for (int i = 0; i < sweeps; i++) {
        sweep(now, next, source);
        if (i % 10 == 9) change = residual(now, next);
        swap_fields(now, next);
    }
    return change;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const int sweeps = argc > 2 ? atoi(argv[2]) : 300;
    if (n < 8 || sweeps < 1) {
        fprintf(stderr, "usage: heat [cells per side >= 8] [sweeps >= 1] [corner]\n");
        return 2;
    }
    field now, next;
    if (!field_create(&now, (size_t)n) || !field_create(&next, (size_t)n)) {
        fprintf(stderr, "heat: not enough memory for %d x %d cells\n", n, n);
        return 1;
    }
    field_border(&now, 1.0, 0.0);
    field_border(&next, 1.0, 0.0);
    const double change = solve(&now, &next, sweeps, argc > 3 ? hot_corner : no_source);
    printf("change %.3e, heat %.6f\n", change, checksum(&now));
    field_destroy(&now);
    field_destroy(&next);
    return 0;
}

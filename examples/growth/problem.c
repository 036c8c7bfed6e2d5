#include "problem.h"

#include "work.h"

#define own __attribute__((noinline))

/* n */
static own void assemble_row(void) { work(ASSEMBLE_ROW); }

void assemble(int n) {
    for (int row = 0; row < n; row++) assemble_row();
}

/* n^2 */
static own void interact_pair(void) { work(INTERACT_PAIR); }

void interact(int n) {
    for (int one = 0; one < n; one++)
        for (int other = 0; other < n; other++) interact_pair();
}

/* n log2(n) */
static own void sort_element(void) { work(SORT_ELEMENT); }

void sort(int n) {
    for (int width = 1; width < n; width *= 2)
        for (int element = 0; element < n; element++) sort_element();
}

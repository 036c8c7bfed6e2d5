#pragma once

/* What a rank does for its part of a problem of size n, a power of two. Visits are stated beside each function. */
void assemble(int n);
void interact(int n);
void sort(int n);

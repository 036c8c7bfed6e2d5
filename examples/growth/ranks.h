#pragma once

/* What a rank does because there are others: p ranks, a power of two, and a problem of size n for each. */
void reduce(int ranks);
void exchange(int ranks);
void gather(int ranks, int n);
void balance(int ranks, int n);

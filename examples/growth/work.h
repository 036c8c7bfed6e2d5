#pragma once

/* Additions of one call of `work`. */
enum { additions = 200 };

/* The same work in each call. Calls are counted. */
void work(void);

/* Number of calls, and the sum that nobody can compute without them. */
long calls_of_work(void);
double sum_of_work(void);

#pragma once

/* Additions of one unit of work, which takes about a tenth of a millisecond. */
enum { additions = 30000 };

/*
 * Works for a number of units: always the same work, so that shares of the run do not depend on the machine. It is a macro, because a function
 * that all others call would be the one in which all time is spent. `from` differs from function to function, so that the compiler does not
 * make one function of several.
 */
#define WORK(units, from)                                                                          \
    do {                                                                                           \
        double value = (from);                                                                     \
        for (long i = 0; i < (long)(units) * additions; i++) value = value * 0.999999 + 1e-6;      \
        volatile double result = value;                                                            \
        (void)result;                                                                              \
    } while (0)

/* A function of its own in the program as it is built, too. */
#define own __attribute__((noinline))

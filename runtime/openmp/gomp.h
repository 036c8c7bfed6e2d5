// Functions of the layer that stand before those of GNU's OpenMP library (libgomp; their interface is libgomp_g.h in GCC's sources).
#ifndef KYMO_GOMP_H
#define KYMO_GOMP_H

#include "layer.h"

#define GOMP_EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

#pragma GCC visibility push(hidden)
// The function of the library. It does not return when there is none: the program could not have been started.
void *kymo_gomp_find(void *volatile *cache, const char *name);
// Whether the library's calls are to be recorded.
bool kymo_gomp_records(void);
#pragma GCC visibility pop

#define NEXT(function)                                                                       \
  ({                                                                                         \
    static void *volatile cache;                                                             \
    void *next = cache;                                                                      \
    (__typeof__(&function))(__builtin_expect(next != NULL, 1) ? next : kymo_gomp_find(&cache, #function)); \
  })

#endif

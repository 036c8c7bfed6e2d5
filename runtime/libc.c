// The table of function pointers that libc.h declares.
#define KYMO_LIBC_TABLE 1
#include "libc.h"

#define POINTER(name) .name = name,
const struct kymo_libc kymo_libc = {KYMO_LIBC(POINTER)};

// Empty definitions of the subroutines that Fortran sources call. For builds without Kymo's compilers, compile this file and link it with
// the program. The definitions of the measurement runtime override these.
#include <stddef.h>
#include <stdint.h>

#define EMPTY __attribute__((weak)) void

EMPTY kymo_phase_begin_(const char *name, size_t length) { (void)name, (void)length; }
EMPTY kymo_phase_end_(const char *name, size_t length) { (void)name, (void)length; }
EMPTY kymo_region_begin_(const char *name, size_t length) { (void)name, (void)length; }
EMPTY kymo_region_end_(const char *name, size_t length) { (void)name, (void)length; }
EMPTY kymo_scorep_begin_(int64_t *handle, const char *name, const int *type, size_t length) { (void)handle, (void)name, (void)type, (void)length; }
EMPTY kymo_scorep_init_(int64_t *handle, const char *name, const int *type, size_t length) { (void)handle, (void)name, (void)type, (void)length; }
EMPTY kymo_scorep_enter_(const int64_t *handle) { (void)handle; }
EMPTY kymo_scorep_end_(const int64_t *handle) { (void)handle; }

// A library that calls MPI in its constructor, which comes before that of the executable, as the C++ bindings of Open MPI do.
#include <mpi.h>

__attribute__((constructor)) static void early(void) {
  int initialized;
  MPI_Initialized(&initialized);
}

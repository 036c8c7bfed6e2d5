/* A program whose functions grow in known ways with the size of the problem and the number of ranks. See README.md. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "problem.h"
#include "ranks.h"
#include "work.h"

int main(int count, char **words) {
    MPI_Init(&count, &words);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int n = count > 1 ? atoi(words[1]) : 256;
    if (n < 1) {
        if (rank == 0) fprintf(stderr, "growth: the size must be at least 1\n");
        MPI_Finalize();
        return 2;
    }
    assemble(n);
    interact(n);
    sort(n);
    reduce(ranks);
    exchange(ranks);
    gather(ranks, n);
    balance(ranks, n);
    if (rank == 0) print_work();
    MPI_Finalize();
    return 0;
}

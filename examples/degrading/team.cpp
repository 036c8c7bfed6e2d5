#include "team.h"

#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "recorder.h"

#ifdef WITH_MPI

Team::Team(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Team::~Team() { MPI_Finalize(); }

void Team::exchangeRows(std::vector<double>& cells, std::size_t rows, std::size_t stride, Recorder& recorder) const {
    const Recorder::Scope scope(recorder, Region::sendrecv);
    const int up = rank_ > 0 ? rank_ - 1 : MPI_PROC_NULL;
    const int down = rank_ + 1 < size_ ? rank_ + 1 : MPI_PROC_NULL;
    const int count = static_cast<int>(stride);
    double* const first = cells.data() + stride;
    double* const last = cells.data() + rows * stride;
    MPI_Sendrecv(first, count, MPI_DOUBLE, up, 0, last + stride, count, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, count, MPI_DOUBLE, down, 1, first - stride, count, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    recorder.work(20e-6, 1);
}

double Team::largest(double value, Recorder& recorder) const {
    const Recorder::Scope scope(recorder, Region::allreduce);
    // The second one is for modelled time only: the clock of the process that comes last.
    double mine[2] = {value, recorder.modelledNow()};
    double all[2] = {0, 0};
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    recorder.waitUntil(all[1] + 20e-6);
    return all[0];
}

std::vector<double> Team::gather(const std::vector<double>& values) const {
    const int count = static_cast<int>(values.size());
    std::vector<double> all(rank_ == 0 ? values.size() * static_cast<std::size_t>(size_) : 0);
    MPI_Gather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return all;
}

#else

Team::Team(int&, char**&) {}

Team::~Team() = default;

void Team::exchangeRows(std::vector<double>&, std::size_t, std::size_t, Recorder&) const {}

double Team::largest(double value, Recorder&) const { return value; }

std::vector<double> Team::gather(const std::vector<double>& values) const { return values; }

#endif

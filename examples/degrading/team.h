#pragma once
#include <vector>

class Recorder;

/// The processes that compute together; one alone in a build without MPI.
class Team {
public:
    Team(int& argc, char**& argv);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// Sends the first and last own row to the neighbours, and receives theirs into the rows outside.
    void exchangeRows(std::vector<double>& cells, std::size_t rows, std::size_t stride, Recorder& recorder) const;
    /// The largest of all processes' values: everybody waits for the last.
    double largest(double value, Recorder& recorder) const;
    /// All processes' values one after the other, on rank 0.
    std::vector<double> gather(const std::vector<double>& values) const;

private:
    int rank_ = 0;
    int size_ = 1;
};

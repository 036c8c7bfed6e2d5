#pragma once
#include <cstddef>
#include <vector>

class Recorder;
class Team;

/// The temperature of a process's part of a plate: rows × columns, with a margin of one cell around them.
class Plate {
public:
    Plate(std::size_t rows, std::size_t columns);

    void relax(int sweeps, Recorder& recorder);
    /// Twice the columns.
    void refine();
    void exchange(const Team& team, Recorder& recorder);
    double warmest() const;
    /// Each cell with its value before, of every second column of a refined plate, and each so many rows, so that a checkpoint has the same size whatever the mesh is, and
    /// however many parts of a plate there are.
    std::vector<double> sampled(std::size_t parts) const;

private:
    std::size_t stride() const { return columns_ + 2; }

    std::size_t rows_;
    std::size_t columns_;
    std::size_t sampledEach_ = 1;
    std::vector<double> cells_;
    std::vector<double> next_;
};

#include "plate.h"

#include <algorithm>

#include "recorder.h"
#include "team.h"

Plate::Plate(std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), cells_((rows + 2) * (columns + 2), 0.0), next_(cells_) {
    for (std::size_t column = 0; column < stride(); ++column) cells_[column] = next_[column] = 1.0;
}

void Plate::relax(int sweeps, Recorder& recorder) {
    const Recorder::Scope scope(recorder, Region::relax);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t row = 1; row <= rows_; ++row) {
            const double* const here = cells_.data() + row * stride();
            double* const to = next_.data() + row * stride();
            for (std::size_t column = 1; column <= columns_; ++column)
                to[column] = 0.25 * (here[column - stride()] + here[column + stride()] + here[column - 1] + here[column + 1]);
        }
        cells_.swap(next_);
    }
    recorder.work(0.5e-9, static_cast<double>(rows_) * static_cast<double>(columns_) * sweeps);
}

void Plate::refine() {
    Plate finer(rows_, 2 * columns_);
    for (std::size_t row = 0; row < rows_ + 2; ++row)
        for (std::size_t column = 0; column < finer.stride(); ++column)
            finer.cells_[row * finer.stride() + column] = cells_[row * stride() + (column + 1) / 2];
    finer.next_ = finer.cells_;
    finer.sampledEach_ = 2 * sampledEach_;
    *this = std::move(finer);
}

void Plate::exchange(const Team& team, Recorder& recorder) { team.exchangeRows(cells_, rows_, stride(), recorder); }

double Plate::warmest() const {
    double warmest = 0;
    for (std::size_t row = 1; row <= rows_; ++row)
        for (std::size_t column = 1; column <= columns_; ++column)
            warmest = std::max(warmest, cells_[row * stride() + column]);
    return warmest;
}

std::vector<double> Plate::sampled(std::size_t parts) const {
    std::vector<double> values;
    values.reserve(2 * rows_ * columns_ / (sampledEach_ * parts) + 2);
    for (std::size_t row = 1; row <= rows_; row += parts)
        for (std::size_t column = 1; column <= columns_; column += sampledEach_)
            values.insert(values.end(), {cells_[row * stride() + column], next_[row * stride() + column]});
    return values;
}

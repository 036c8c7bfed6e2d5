#pragma once
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "options.h"

class Team;

enum class Region { phase, relax, search, checkpoint, sendrecv, allreduce };
constexpr std::size_t regionCount = 6;

/// The time that each region takes in each iteration.
class Recorder {
public:
    explicit Recorder(const Options& options);

    /// Adds the time of its life to the region, in this iteration. The region's place is where this stands.
    class Scope {
    public:
        Scope(Recorder& recorder, Region region, const char* file = __builtin_FILE(), int line = __builtin_LINE())
            : recorder_(recorder), region_(region), begin_(recorder.now()) {
            recorder.places_[static_cast<std::size_t>(region)] = {file, line};
        }
        ~Scope() { recorder_.add(region_, recorder_.now() - begin_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Recorder& recorder_;
        Region region_;
        double begin_;
    };

    void beginIteration(int iteration);
    /// Modelled time passes.
    void work(double secondsPerUnit, double units) { modelledNow_ += secondsPerUnit * units; }
    double modelledNow() const { return modelledNow_; }
    void waitUntil(double modelled) {
        if (modelled > modelledNow_) modelledNow_ = modelled;
    }
    /// A series file of all processes, which rank 0 writes; everybody calls this. Throws std::runtime_error.
    void write(const std::string& file, const Team& team) const;

private:
    double now() const;
    void writeSeries(std::FILE* out, std::size_t region, const char* metric, const std::vector<double>& all) const;
    void add(Region region, double seconds);

    bool on_;
    Clock clock_;
    double modelledNow_ = 0;
    std::size_t current_ = 0;
    std::array<std::vector<double>, regionCount> seconds_;
    /// Of the phase, by the clock of the processor: what the time on the wall has more of, others had.
    std::vector<double> processor_;
    double processorBegan_ = 0;
    struct Place {
        const char* file = nullptr;
        int line = 0;
    };
    std::array<Place, regionCount> places_{};
};

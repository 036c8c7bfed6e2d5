#include "recorder.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "team.h"

namespace {

/// As series files of Kymo have them (docs/INTERFACES.md).
struct Description {
    const char* region;
    const char* kind;
    const char* file;  ///< of the function, or of the one that calls MPI
};

constexpr std::array<Description, regionCount> descriptions = {{
    {"<phase>", "phase", "simulation.cpp"},
    {"Plate::relax", "function", "plate.cpp"},
    {"Contacts::search", "function", "contacts.cpp"},
    {"writeCheckpoint", "io", "checkpoint.cpp"},
    {"MPI_Sendrecv", "mpi", "team.cpp"},
    {"MPI_Allreduce", "mpi", "team.cpp"},
}};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

}  // namespace

Recorder::Recorder(const Options& options) : on_(!options.series.empty()), clock_(options.clock) {
    for (auto& values : seconds_) values.assign(static_cast<std::size_t>(options.steps), 0.0);
}

double Recorder::now() const {
    if (!on_) return 0;
    switch (clock_) {
        case Clock::modelled:
            return modelledNow_;
        case Clock::processor:
            return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
        case Clock::wall:
            break;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Recorder::write(const std::string& file, const Team& team) const {
    File out(nullptr, std::fclose);
    if (team.rank() == 0) {
        out.reset(std::fopen(file.c_str(), "w"));
        if (!out) throw std::runtime_error("cannot write " + file);
        std::fprintf(out.get(), "{\"kymoSeries\":1,\"unit\":\"s\",\"phase\":\"Simulation::advance\"}\n");
    }
    for (std::size_t region = 0; region < regionCount; ++region) {
        const std::vector<double> all = team.gather(seconds_[region]);
        const auto& [name, kind, source] = descriptions[region];
        const std::size_t steps = seconds_[region].size();
        for (std::size_t rank = 0; steps > 0 && rank * steps < all.size(); ++rank) {
            std::fprintf(out.get(), "{\"region\":\"%s\",\"kind\":\"%s\",\"file\":\"%s\",\"metric\":\"time\",\"rank\":%zu,\"thread\":0,\"values\":[",
                         name, kind, source, rank);
            for (std::size_t i = 0; i < steps; ++i) std::fprintf(out.get(), "%s%.9g", i > 0 ? "," : "", all[rank * steps + i]);
            std::fprintf(out.get(), "]}\n");
        }
    }
    if (out && std::fflush(out.get()) != 0) throw std::runtime_error("cannot write " + file);
}

#include "recorder.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "team.h"

namespace {

/// As series files of Kymo have them (docs/INTERFACES.md).
struct Description {
    const char* region;
    const char* kind;
};

constexpr std::array<Description, regionCount> descriptions = {{
    {"<phase>", "phase"},
    {"Plate::relax", "function"},
    {"Contacts::search", "function"},
    {"writeCheckpoint", "io"},
    {"MPI_Sendrecv", "mpi"},
    {"MPI_Allreduce", "mpi"},
}};

/// For a JSON string.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

void closed(std::FILE* file) { std::fclose(file); }

double processorNow() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

using File = std::unique_ptr<std::FILE, void (*)(std::FILE*)>;

}  // namespace

Recorder::Recorder(const Options& options) : on_(!options.series.empty()), clock_(options.clock) {
    for (auto& values : seconds_) values.assign(static_cast<std::size_t>(options.steps), 0.0);
    processor_ = seconds_[0];
}

void Recorder::beginIteration(int iteration) {
    current_ = static_cast<std::size_t>(iteration - 1);
    processorBegan_ = processorNow();
}

void Recorder::add(Region region, double seconds) {
    if (!on_) return;
    seconds_[static_cast<std::size_t>(region)][current_] += seconds;
    if (region == Region::phase) processor_[current_] = processorNow() - processorBegan_;
}

double Recorder::now() const {
    if (!on_) return 0;
    switch (clock_) {
        case Clock::modelled:
            return modelledNow_;
        case Clock::processor:
            return processorNow();
        case Clock::wall:
            break;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Recorder::write(const std::string& file, const Team& team) const {
    File out(team.rank() == 0 ? std::fopen(file.c_str(), "w") : nullptr, closed);
    if (out) std::fprintf(out.get(), "{\"kymoSeries\":1,\"unit\":\"s\",\"phase\":\"Simulation::advance\"}\n");
    // Without a file, too: the other processes wait for rank 0 here.
    for (std::size_t region = 0; region < regionCount; ++region) writeSeries(out.get(), region, "time", team.gather(seconds_[region]));
    if (clock_ == Clock::wall) writeSeries(out.get(), 0, "processor", team.gather(processor_));
    if (team.rank() == 0 && (!out || std::fflush(out.get()) != 0)) throw std::runtime_error("cannot write " + file);
}

/// By rank; `out` is null in processes that do not write.
void Recorder::writeSeries(std::FILE* out, std::size_t region, const char* metric, const std::vector<double>& all) const {
    const auto& [name, kind] = descriptions[region];
    const auto& [source, line] = places_[region];
    const std::size_t steps = seconds_[region].size();
    for (std::size_t rank = 0; out && rank * steps < all.size(); ++rank) {
        std::fprintf(out, "{\"region\":\"%s\",\"kind\":\"%s\",", name, kind);
        // Without a place the region did not run. Compilers name files as the build does.
        if (line > 0) std::fprintf(out, "\"file\":\"%s\",\"line\":%d,", escaped(std::filesystem::absolute(source)).c_str(), line);
        std::fprintf(out, "\"metric\":\"%s\",\"rank\":%zu,\"thread\":0,\"values\":[", metric, rank);
        for (std::size_t i = 0; i < steps; ++i) std::fprintf(out, "%s%.9g", i > 0 ? "," : "", all[rank * steps + i]);
        std::fprintf(out, "]}\n");
    }
}

#include "checkpoint.h"

#include <cstdio>

#include "recorder.h"
#include "team.h"

void writeCheckpoint(const std::vector<double>& mine, int step, const Team& team, Recorder& recorder) {
    const Recorder::Scope scope(recorder, Region::checkpoint);
    const std::vector<double> all = team.gather(mine);
    if (team.rank() != 0) return;
    if (std::FILE* const file = std::fopen("plate.checkpoint", "w")) {
        std::fprintf(file, "%d\n", step);
        for (const double value : all) std::fprintf(file, "%.17g\n", value);
        std::fclose(file);
    }
    recorder.work(180e-9, static_cast<double>(all.size()));
}

// A plate that bodies hit, and that becomes slower in ways that are known beforehand (README.md; `--truth` prints them):
//   degrading [--steps N] [--size PERCENT] [--impact N] [--refine N] [--checkpoint N] [--late RANKS] [--release]
//             [--series FILE [--clock wall|processor|modelled]] [--truth]
#include <cstdio>
#include <exception>

#include "options.h"
#include "recorder.h"
#include "simulation.h"
#include "team.h"
#include "truth.h"

namespace {

void run(const Options& options, const Team& team) {
    Recorder recorder(options);
    Simulation simulation(options, team);
    for (int iteration = 1; iteration <= options.steps; ++iteration) simulation.advance(iteration, recorder);
    const double contacts = static_cast<double>(simulation.contacts());
    const double most = team.largest(contacts, recorder);
    if (team.rank() == 0)
        std::printf("warmest %.9f, force %.6f on rank 0, at most %.0f contacts\n", simulation.warmest(), simulation.force(), most);
    if (!options.series.empty()) recorder.write(options.series, team);
}

}  // namespace

int main(int argc, char** argv) {
    Team team(argc, argv);
    try {
        const Options options = parseOptions(argc, argv);
        if (!options.truth)
            run(options, team);
        else if (team.rank() == 0)
            printTruth(options, team.size());
        return 0;
    } catch (const std::exception& error) {
        if (team.rank() == 0) std::fprintf(stderr, "degrading: %s\n", error.what());
        return 2;
    }
}

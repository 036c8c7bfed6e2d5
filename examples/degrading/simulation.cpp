#include "simulation.h"

#include <algorithm>

#include "checkpoint.h"
#include "recorder.h"
#include "team.h"

namespace {

constexpr int sweepsPerStep = 80;

std::size_t sized(std::size_t usual, int percent) {
    return std::max<std::size_t>(4, usual * static_cast<std::size_t>(percent) / 100);
}

}  // namespace

Simulation::Simulation(const Options& options, const Team& team)
    : options_(options),
      team_(team),
      inZone_(team.rank() >= team.size() - options.late),
      newContacts_(sized(2500, options.size)),
      plate_(128, sized(192, options.size)),
      contacts_(sized(20000, options.size)) {}

void Simulation::advance(int iteration, Recorder& recorder) {
    recorder.beginIteration(iteration);
    const Recorder::Scope scope(recorder, Region::phase);
    if (iteration == options_.refine) plate_.refine();
    plate_.exchange(team_, recorder);
    plate_.relax(sweepsPerStep, recorder);
    if (options_.checkpoint > 0 && iteration % options_.checkpoint == 0)
        writeCheckpoint(plate_.sampled(static_cast<std::size_t>(team_.size())), iteration, team_, recorder);
    if (options_.release) contacts_.release(iteration);
    if (inZone_ && iteration >= options_.impact) contacts_.add(newContacts_, iteration);
    force_ = contacts_.search(iteration, recorder);
    warmest_ = team_.largest(plate_.warmest(), recorder);
}

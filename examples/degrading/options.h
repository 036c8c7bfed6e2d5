#pragma once
#include <string>

/// What the times in a series file are: of a clock, of the processor (other programs do not lengthen it), or modelled, which is
/// the work that was done, by the count, and the same on every machine.
enum class Clock { wall, processor, modelled };

/// What the run does. Iterations count from 1.
struct Options {
    int steps = 160;
    int size = 100;        ///< percent of the usual work
    int impact = 48;       ///< iteration from which contacts come into being
    int refine = 96;       ///< first iteration on the finer mesh; 0: never
    int checkpoint = 15;   ///< a checkpoint in each so many iterations; 0: never
    int late = 1;          ///< number of ranks, the last ones, that have the zone of impact
    bool release = false;  ///< forget contacts that are over: what mends the degradation
    std::string series;    ///< file for the times of each iteration
    Clock clock = Clock::wall;
    bool truth = false;    ///< print what is to be found, instead of running
};

/// Throws std::invalid_argument.
Options parseOptions(int argc, char** argv);

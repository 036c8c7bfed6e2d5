#pragma once
#include "options.h"

/// Prints as JSON what an analysis of a run with `ranks` processes has to find, from the options alone.
void printTruth(const Options& options, int ranks);

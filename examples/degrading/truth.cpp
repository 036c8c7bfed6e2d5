#include "truth.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

std::string ranges(int first, int last) {
    if (first > last) return "";
    return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::string checkpoints(const Options& options) {
    std::string list;
    for (int i = options.checkpoint; options.checkpoint > 0 && i <= options.steps; i += options.checkpoint)
        list += (list.empty() ? "" : ", ") + std::to_string(i);
    return list;
}

}  // namespace

void printTruth(const Options& options, int ranks) {
    const int late = std::min(options.late, ranks);
    const std::string lateRanks = ranges(ranks - late, ranks - 1);
    const std::string onTime = ranges(0, ranks - late - 1);
    std::printf("{\n  \"iterations\": %d,\n  \"ranks\": %d", options.steps, ranks);
    if (late > 0 && !options.release && options.impact < options.steps) {
        std::printf(",\n  \"trend\": {\"region\": \"Contacts::search\", \"ranks\": \"%s\", \"iterations\": [%d, %d]}",
                    lateRanks.c_str(), options.impact, options.steps);
        if (!onTime.empty())
            std::printf(",\n  \"waiting\": {\"region\": \"MPI_Allreduce\", \"ranks\": \"%s\", \"iterations\": [%d, %d], \"for\": \"%s\"}",
                        onTime.c_str(), options.impact, options.steps, lateRanks.c_str());
    }
    if (options.refine > 1 && options.refine <= options.steps)
        std::printf(",\n  \"step\": {\"region\": \"Plate::relax\", \"ranks\": \"%s\", \"iterations\": [%d, %d], \"factor\": 2}",
                    ranges(0, ranks - 1).c_str(), options.refine - 1, options.refine);
    if (options.checkpoint > 0) {
        std::printf(",\n  \"peaks\": {\"region\": \"writeCheckpoint\", \"ranks\": \"0\", \"period\": %d, \"iterations\": [%s]}",
                    options.checkpoint, checkpoints(options).c_str());
        if (ranks > 1)
            std::printf(",\n  \"waitingForPeaks\": {\"region\": \"MPI_Allreduce\", \"ranks\": \"%s\", \"for\": \"0\"}",
                        ranges(1, ranks - 1).c_str());
    }
    std::printf("\n}\n");
}

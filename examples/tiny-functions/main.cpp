// A* over a smoothed random grid, from corner to corner and between random cells.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "grid.h"
#include "search.h"

namespace {

struct Options {
    int size = 512;
    int searches = 12;
    const char* heuristic = "manhattan";
};

Options parse(int argc, char** argv) {
    Options options;
    if (argc > 1) options.size = std::atoi(argv[1]);
    if (argc > 2) options.searches = std::atoi(argv[2]);
    if (argc > 3) options.heuristic = argv[3];
    if (options.size < 8 || options.searches < 1) throw std::runtime_error("usage: pathfinder [size >= 8] [searches >= 1] [manhattan|euclidean]");
    return options;
}

/// Searches that cannot succeed are reported by an exception, which passes instrumented frames.
float checked(search::Search& search, grid::Cell from, grid::Cell to, const grid::Grid& grid) {
    if (!grid.contains(to)) throw std::out_of_range("the goal lies outside the grid");
    return search.run(from, to);
}

int solve(const Options& options) {
    grid::Grid grid(options.size, options.size, 42);
    grid.smooth(8);
    const auto heuristic = search::makeHeuristic(options.heuristic);
    search::Search search(grid, *heuristic);
    double total = 0;
    int refused = 0;
    for (int i = 0; i < options.searches; ++i) {
        const grid::Cell from{(i * 37) % options.size, 0};
        const grid::Cell to{options.size - 1 - (i * 53) % options.size, i % 5 == 4 ? options.size : options.size - 1};
        try {
            total += checked(search, from, to, grid);
        } catch (const std::out_of_range&) {
            ++refused;
        }
    }
    std::printf("grid %.1f, ways %.3f, expanded %ld, refused %d\n", grid.total(), total, search.expanded(), refused);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return solve(parse(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}

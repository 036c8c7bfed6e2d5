#include "options.h"

#include <map>
#include <stdexcept>

namespace {

int wholeNumber(const std::string& name, const std::string& text, int least) {
    std::size_t used = 0;
    int value = 0;
    try {
        value = std::stoi(text, &used);
    } catch (const std::logic_error&) {
        used = 0;
    }
    if (used == 0 || used != text.size() || value < least)
        throw std::invalid_argument(name + " takes a whole number from " + std::to_string(least) + " on");
    return value;
}

Clock clockNamed(const std::string& name) {
    if (name == "wall") return Clock::wall;
    if (name == "processor") return Clock::processor;
    if (name == "modelled") return Clock::modelled;
    throw std::invalid_argument("--clock takes wall, processor or modelled");
}

}  // namespace

Options parseOptions(int argc, char** argv) {
    Options options;
    const std::map<std::string, std::pair<int*, int>> numbers = {
        {"--steps", {&options.steps, 1}},   {"--size", {&options.size, 1}},
        {"--impact", {&options.impact, 1}}, {"--refine", {&options.refine, 0}},
        {"--late", {&options.late, 0}},     {"--checkpoint", {&options.checkpoint, 0}},
    };
    const std::map<std::string, bool*> switches = {{"--release", &options.release}, {"--truth", &options.truth}};
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (const auto found = switches.find(name); found != switches.end()) {
            *found->second = true;
            continue;
        }
        const auto number = numbers.find(name);
        if (number == numbers.end() && name != "--series" && name != "--clock")
            throw std::invalid_argument("unknown option: " + name);
        if (++i == argc) throw std::invalid_argument(name + " needs a value");
        if (number != numbers.end())
            *number->second.first = wholeNumber(name, argv[i], number->second.second);
        else if (name == "--clock")
            options.clock = clockNamed(argv[i]);
        else
            options.series = argv[i];
    }
    return options;
}

#pragma once
#include <vector>

class Recorder;
class Team;

/// Rank 0 writes the whole plate as text; the others go on, and wait for it where they next meet.
void writeCheckpoint(const std::vector<double>& mine, int step, const Team& team, Recorder& recorder);

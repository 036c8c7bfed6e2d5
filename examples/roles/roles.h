// Ranks with different roles: 0 distributes the work, the last one writes what comes out, the others compute.
#pragma once

enum { master = 0, cells = 4096 };

void distribute(int steps, int workers);
void work(int steps, int writer, int rank);
void writeResults(int steps, int workers);

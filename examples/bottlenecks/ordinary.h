#pragma once

/*
 * Work that is no bottleneck: an eighth of it in each of eight functions, so that none of them has the share of the run that a hypothesis asks for.
 * `units` is a multiple of eight.
 */
void ordinary(int units);

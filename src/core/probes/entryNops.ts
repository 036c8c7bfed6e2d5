/**
 * NOPs that gcc puts before and at the entry of a function on x86-64, in units without probes. Together they take 64 bytes, a line
 * of the caches, of which only those at the entry are executed: the code behind them, all loops in it and all functions after it
 * keep the place in a line that they have in the vanilla build. Where a small loop lies in a line decides about up to a quarter
 * of its time (measured: bench/sites/README.md), and that must not change with what measures it. The function itself begins at
 * an even address, as C++ needs for pointers to members; five bytes at the entry are patched, the sixth stays a NOP.
 */
export const layoutNeutralEntry = { before: 58, at: 6 } as const;

/** What becomes of five NOPs at an entry: one instruction, because each costs something whenever the function is called. */
export const mergedNop = Uint8Array.of(0x0f, 0x1f, 0x44, 0x00, 0x00);

/** Sections with the addresses of patchable entries: the compiler's, and its replacement by the wrapper in C++ units. */
export const entryRecords = {
  compiler: '__patchable_function_entries',
  detached: '.debug_kymo_entries',
} as const;

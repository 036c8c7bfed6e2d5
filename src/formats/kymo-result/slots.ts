/** Slots that do not name functions. */
export const rootSlot = 0xffff_ffff;
export const depthExceededSlot = 0xffff_fffe;
/** A child with this slot has the waiting time of its parent. */
export const waitingSlot = 0xffff_fffc;
/** A child with this slot plus the number of a counter has a quantity of its parent in place of ticks. */
export const firstCounterSlot = 0xffff_ffe0;

/** The counter that a slot stands for; undefined for all other slots, also for counters of later versions. */
export function counterOfSlot(slot: number): CounterName | undefined {
  return counterNames[slot - firstCounterSlot];
}

/** Whether a child with this slot holds a quantity of its parent and is no call path. */
export function isQuantitySlot(slot: number): boolean {
  return slot >= firstCounterSlot && slot <= waitingSlot;
}

/** Quantities of call paths that layers and the processor count (runtime/layers.h). Positions are the numbers in the file. */
export const counterNames = [
  'bytesSent',
  'bytesReceived',
  'bytesPut',
  'bytesGot',
  'lateSender',
  'lateReceiver',
  'lateRoot',
  'lateMember',
  'idle',
  'bytesRead',
  'bytesWritten',
  'instructions',
  'cacheMisses',
] as const;
export type CounterName = (typeof counterNames)[number];

/** Time that a process waited in MPI for another one. */
export const waitCounters: readonly CounterName[] = ['lateSender', 'lateReceiver', 'lateRoot', 'lateMember'];

/** What the processor counts (runtime/perf.c). */
export const processorCounters: readonly CounterName[] = ['instructions', 'cacheMisses'];

/** Whether the counter's amounts are ticks; else they are bytes, or events of the processor. */
export function isTimeCounter(name: CounterName): boolean {
  return name === 'idle' || waitCounters.includes(name);
}

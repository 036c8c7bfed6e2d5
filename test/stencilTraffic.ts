import type { CommunicationEntry } from '../src/core/communication/communicationMatrix';

/**
 * What a 3-D stencil with faces of `bytes` sends in `steps` steps: each rank of a grid of `side`³ to its up to six neighbours, without periodic
 * boundaries. Ranks run along x first.
 */
export function stencilTraffic(side: number, bytes: number, steps: number): readonly CommunicationEntry[] {
  const entries: CommunicationEntry[] = [];
  for (let from = 0; from < side ** 3; from++) {
    const place = [from % side, Math.floor(from / side) % side, Math.floor(from / side ** 2)];
    for (const [axis, position] of place.entries())
      for (const by of [-1, 1])
        if (position + by >= 0 && position + by < side)
          entries.push({ from, to: from + by * side ** axis, messages: steps, bytes: bytes * steps });
  }
  return entries;
}

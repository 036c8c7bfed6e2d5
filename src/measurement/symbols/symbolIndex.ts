import { at } from '../../core/at';
import { firstPosition } from '../../core/firstPosition';
import type { ElfSymbol } from '../../formats/elf/symbolTable';
import { withoutCloneSuffix } from './mangledNames';

/** Function symbols by address. */
export class SymbolIndex {
  private readonly sorted: readonly ElfSymbol[];

  constructor(symbols: readonly ElfSymbol[]) {
    this.sorted = [...symbols].sort((a, b) => a.address - b.address || rank(a) - rank(b));
  }

  /** The symbol at exactly this address: among aliases, the one with the preferred name, else the most public one. */
  at(address: number, preferredName: string): ElfSymbol | undefined {
    const first = this.firstAt(address);
    let best: ElfSymbol | undefined;
    for (let i = first; this.sorted[i]?.address === address; i++) {
      const symbol = this.sorted[i];
      if (symbol !== undefined && withoutCloneSuffix(symbol.name) === preferredName) return symbol;
      best ??= symbol;
    }
    return best;
  }

  /** The symbol whose code contains the address. */
  containing(address: number): ElfSymbol | undefined {
    const next = this.firstAt(address + 1);
    const candidate = this.sorted[next - 1];
    if (candidate === undefined) return undefined;
    // Aliases share the address; they are sorted by preference.
    const best = this.sorted[this.firstAt(candidate.address)];
    if (best === undefined) return undefined;
    // Symbols of assembler code have no size: they extend to the next one.
    return best.size === 0 || address < best.address + best.size ? best : undefined;
  }

  private firstAt(address: number): number {
    return firstPosition(this.sorted.length, (position) => at(this.sorted, position).address >= address);
  }
}

/** Global names precede weak ones, which precede local ones; then names without a clone's suffix and base-object constructors (C2) come first. */
function rank(symbol: ElfSymbol): number {
  const binding = { global: 0, weak: 2, local: 4 }[symbol.binding];
  return (
    binding +
    (withoutCloneSuffix(symbol.name) === symbol.name ? 0 : 1) +
    (/[CD]1E/.test(symbol.name) ? 0.5 : 0)
  );
}

import { remembered } from '../../../core/remembered';
import { present } from '../../../core/present';
import type { CopiedThread } from '../../../formats/control/callStacks';
import { walkStack, type StoppedThread } from '../../../formats/elf/frames/walk';
import { demangle } from '../demangle';
import type { GraphIndex } from '../graphIndex';
import { CodeMap, type MappedCode } from './codeMap';
import type { NamedCode, ObjectCode, ObjectCodes } from './objectCode';

/** A function that a thread is in. Copies of functions that are inlined into it are not told apart. */
export interface StackFunction {
  /** Of the call graph; absent for functions that Kymo's wrappers have not compiled. */
  readonly key?: string;
  /** To be shown. An address, where the object has no name for it. */
  readonly name: string;
  /** Path of the executable or library; empty: none is known. */
  readonly object: string;
}

export interface ThreadFunctions {
  /** Of the operating system. */
  readonly thread: number;
  /** Outermost first. A function that calls itself is there several times. */
  readonly functions: readonly StackFunction[];
  /** The first function is the outermost one of the thread. Otherwise those that called it are not known: the stack is larger than what was copied, or something on the way says nothing of its frame. */
  readonly isWhole: boolean;
}

export interface CodeStacks {
  readonly threads: readonly ThreadFunctions[];
  /** A walk came to code that the process did not have when it was asked for its code, or to nonsense. */
  readonly hasOtherCode: boolean;
}

interface Walk {
  readonly thread: number;
  /** Innermost first. */
  readonly addresses: readonly number[];
  readonly isWhole: boolean;
}

interface Loaded {
  readonly mapped: MappedCode;
  readonly object: ObjectCode | undefined;
}

/** The code of a process, where it is in its memory. */
export class ProcessCode {
  private readonly map: CodeMap;
  /** By the begin of the code. */
  private readonly loaded = new Map<number, Loaded>();
  private readonly functions = new Map<string, StackFunction>();

  /** @param maps lines of `/proc/<pid>/maps` @param graph of the functions that Kymo's wrappers have compiled */
  constructor(
    readonly maps: string,
    private readonly objects: ObjectCodes,
    private readonly graph: GraphIndex | undefined,
  ) {
    this.map = new CodeMap(maps);
  }

  /** The stacks of threads that were copied at one moment. */
  async stacks(copied: readonly CopiedThread[]): Promise<CodeStacks> {
    const walks: Walk[] = [];
    for (const thread of copied) walks.push(await this.walk(thread));
    await this.name(walks.flatMap(({ addresses }) => addresses));
    const threads = walks.map(({ thread, addresses, isWhole }) => ({
      thread,
      functions: addresses.flatMap((address) => this.functionAt(address) ?? []).reverse(),
      isWhole,
    }));
    const hasOtherCode = walks.some(({ addresses }) => this.map.at(addresses.at(-1) ?? 0) === undefined);
    return { threads, hasOtherCode };
  }

  /** Objects are read when a walk comes to their code, and it begins again then. */
  private async walk(copied: CopiedThread): Promise<Walk> {
    const thread = stoppedThread(copied);
    for (;;) {
      let missing: MappedCode | undefined;
      const walk = walkStack(thread, (address) => {
        const mapped = this.map.at(Number(address));
        if (mapped === undefined) return undefined;
        const loaded = this.loaded.get(mapped.begin);
        if (loaded === undefined) missing ??= mapped;
        const bias = loaded?.object?.bias(mapped);
        return loaded?.object && bias !== undefined ? { frames: loaded.object.frames, bias } : undefined;
      });
      if (missing === undefined)
        return { thread: copied.tid, addresses: walk.addresses.map(Number), isWhole: walk.isWhole };
      this.loaded.set(missing.begin, { mapped: missing, object: await this.objects.of(missing) });
    }
  }

  private codeAt(address: number): {
    readonly object: string;
    readonly code?: NamedCode;
    readonly isOwn: boolean;
  } {
    const mapped = this.map.at(address);
    const object = mapped && this.loaded.get(mapped.begin)?.object;
    const bias = mapped && object?.bias(mapped);
    const code = bias === undefined ? undefined : object?.at(address - bias);
    const isOwn = object?.isMeasured === true && code?.symbol.startsWith('kymo_') === true;
    return { object: mapped?.file ?? '', isOwn, ...present({ code }) };
  }

  /** @returns undefined for the runtime's own */
  private functionAt(address: number): StackFunction | undefined {
    const { object, code, isOwn } = this.codeAt(address);
    if (isOwn) return undefined;
    if (code === undefined) return { name: `0x${address.toString(16)}`, object };
    return remembered(this.functions, `${code.symbol}\n${object}`, () => {
      const position = code.function && this.graph?.ofSymbol(code.function);
      const key = position === undefined ? undefined : this.graph?.graph.functions[position]?.key;
      return {
        ...present({ key }),
        name: code.function?.name ?? this.names.get(code.symbol) ?? code.symbol,
        object,
      };
    });
  }

  private readonly names = new Map<string, string>();

  /** Demangles the names of functions that were not met before. */
  private async name(addresses: readonly number[]): Promise<void> {
    const fresh = new Set<string>();
    for (const address of new Set(addresses)) {
      const { code } = this.codeAt(address);
      if (code !== undefined && code.function === undefined && !this.names.has(code.symbol))
        fresh.add(code.symbol);
    }
    if (fresh.size === 0) return;
    const shown = await demangle(fresh);
    for (const symbol of fresh) this.names.set(symbol, shown.get(symbol) ?? symbol);
  }
}

function stoppedThread({ registers, stack, frames }: CopiedThread): StoppedThread {
  const low = registers[registers.length === 33 ? 31 : 7] ?? 0n;
  const view = new DataView(stack.buffer, stack.byteOffset, stack.byteLength);
  const words = new Map(
    frames.flatMap(({ address, returnAddress, saved }) => [
      [address, returnAddress],
      [address + 8n, saved],
    ]),
  );
  return {
    registers,
    word: (address) => {
      const offset = address - low;
      if (offset >= 0n && offset + 8n <= BigInt(stack.length)) return view.getBigUint64(Number(offset), true);
      return words.get(address);
    },
  };
}

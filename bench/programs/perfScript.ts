/** A function's code in one loaded file: offset into the file, as `perf script` prints the frames of call chains. */
export interface Frame {
  readonly object: string;
  readonly offset: number;
}

/** One sample: the frames from the innermost to the outermost one. */
export type Stack = readonly Frame[];

/** Functions at a place of the code: those that were inlined there, and the one that contains it. */
export type NamesAt = (frame: Frame) => readonly string[];

export interface SampledProfile {
  readonly samples: number;
  /** Share of the samples whose chain does not reach the start of its thread: callers are missing in them. */
  readonly cutShare: number;
  /** Of each function of the program, the share of the samples in which it is on the stack, inlined or not. */
  readonly inclusiveShares: ReadonlyMap<string, number>;
}

/** By function: those that it ends in a jump to, so that it is not on the stack while they run. */
export type TailCalls = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads what `objdump -d --no-show-raw-insn` prints. */
export function readTailCalls(text: string): TailCalls {
  const calls = new Map<string, Set<string>>();
  let caller = '';
  for (const line of text.split('\n')) {
    const begin = /^[0-9a-f]+ <(.+)>:$/.exec(line)?.[1];
    if (begin !== undefined) caller = sourceName(begin);
    const target = /\tj\w+ +[0-9a-f]+ <([^+>]+)>$/.exec(line)?.[1];
    if (target === undefined) continue;
    const callee = sourceName(target.replace(/@plt$/, ''));
    if (callee !== caller) calls.set(caller, (calls.get(caller) ?? new Set<string>()).add(callee));
  }
  return calls;
}

const frameLine = /^\s+([0-9a-f]+) (.*) \((.*)\)$/;
const beginsThread = /^(_start|clone|__clone|__clone3|clone3|start_thread|_dl_start|_dl_start_user)(@|$)/;

/** Reads what `perf script --no-inline -F comm,tid,ip,sym,dso` prints: a line for each sample, one for each of its frames, an empty one. */
export function readStacks(text: string): { readonly stacks: readonly Stack[]; readonly cut: number } {
  const stacks: Stack[] = [];
  let frames: Frame[] = [];
  let outermost = '';
  let cut = 0;
  const end = (): void => {
    if (frames.length === 0) return;
    stacks.push(frames);
    if (!beginsThread.test(outermost)) cut++;
    frames = [];
  };
  for (const line of text.split('\n')) {
    const [, offset, symbol, object] = frameLine.exec(line) ?? [];
    if (offset === undefined || symbol === undefined || object === undefined) {
      end();
      continue;
    }
    frames.push({ object, offset: Number.parseInt(offset, 16) });
    outermost = symbol;
  }
  end();
  return { stacks, cut };
}

/** @param text what `perf script` printed; a function counts once in a sample, however often it is on the stack. */
export function sampledProfile(text: string, namesAt: NamesAt): SampledProfile {
  const { stacks, cut } = readStacks(text);
  const counts = new Map<string, number>();
  for (const stack of stacks)
    for (const name of new Set(stack.flatMap((frame) => namesAt(frame))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    samples: stacks.length,
    cutShare: stacks.length === 0 ? 0 : cut / stacks.length,
    inclusiveShares: new Map([...counts].map(([name, count]) => [name, count / stacks.length])),
  };
}

/** Of several runs of a program, each by its samples. */
export function mergedSamples(runs: readonly SampledProfile[]): SampledProfile {
  const samples = runs.reduce((sum, run) => sum + run.samples, 0);
  const mean = (share: (run: SampledProfile) => number): number =>
    samples === 0 ? 0 : runs.reduce((sum, run) => sum + run.samples * share(run), 0) / samples;
  const names = new Set(runs.flatMap(({ inclusiveShares }) => [...inclusiveShares.keys()]));
  return {
    samples,
    cutShare: mean(({ cutShare }) => cutShare),
    inclusiveShares: new Map(
      [...names].map((name) => [name, mean(({ inclusiveShares }) => inclusiveShares.get(name) ?? 0)]),
    ),
  };
}

/** Reads what `addr2line -a -f -i` prints: for each address a line with it, and two for each function from the innermost one on. */
export function readInlineChains(text: string): ReadonlyMap<number, readonly string[]> {
  const chains = new Map<number, string[]>();
  let chain: string[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^0x[0-9a-f]+$/.test(line)) {
      chain = [];
      chains.set(Number(line), chain);
    } else if (line !== '') {
      // What has no line, such as the C library's start, is not the program's.
      const place = lines[++i] ?? '';
      if (line !== '??' && /:\d+( |$)/.test(place)) chain.push(sourceName(line));
    }
  }
  return chains;
}

/** Without what compilers append to the parts of a function that they copy or move elsewhere. */
export function sourceName(symbol: string): string {
  return symbol.replace(/\.(_omp_fn|constprop|isra|part|cold|lto_priv|llvm)\b.*$/, '');
}

/** One loadable part of a program file, as `readelf -lW` lists them. */
export interface Segment {
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

export function readSegments(text: string): readonly Segment[] {
  return [...text.matchAll(/^\s*LOAD\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+\S+\s+0x([0-9a-f]+)/gm)].map(
    ([, offset = '', address = '', size = '']) => ({
      offset: Number.parseInt(offset, 16),
      address: Number.parseInt(address, 16),
      size: Number.parseInt(size, 16),
    }),
  );
}

/** Address as the linker gave it of what lies at a position of the file. */
export function linkedAddress(segments: readonly Segment[], offset: number): number {
  const segment = segments.find((s) => offset >= s.offset && offset < s.offset + s.size);
  return segment === undefined ? offset : offset - segment.offset + segment.address;
}

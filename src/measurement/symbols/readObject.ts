import { setImmediate } from 'node:timers/promises';
import { KymoError } from '../../core/errors';
import { readDebugFunctions, type DebugFunctions } from '../../formats/elf/dwarf/functions';
import { ElfFile } from '../../formats/elf/elfFile';
import { readPatchableEntries, readSleds, readUnitHashes } from '../../formats/elf/siteRecords';
import { functionSymbols } from '../../formats/elf/symbolTable';
import { demangle } from './demangle';
import { withFileSource } from '../files/fileSource';
import { nameFunctions } from './nameFunctions';
import { symbolsVersion, type ObjectSymbols } from './objectSymbols';
import { present } from '../../core/present';

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

const nothing: DebugFunctions = { functions: [], bodies: [], inlined: [], chains: [], splitUnits: 0 };

/**
 * Reads functions and sites of an executable, library or object file. Damaged debug information only loses source lines;
 * `problems` reports this. Throws a `KymoError` if it is not an ELF file or its sites are damaged.
 */
export function readObject(path: string, options: ReadOptions = {}): Promise<ObjectSymbols> {
  return withFileSource(path, async (source) => {
    const file = ElfFile.open(source);
    const sleds = readSleds(file);
    const entries = readPatchableEntries(file);
    const addresses = Float64Array.from(new Set([...sleds.map((s) => s.address), ...entries])).sort();
    const problems: string[] = [];
    const debug = await readDebug(file, addresses, problems, options.signal);
    const table = functionSymbols(file);
    if (table.table !== 'symtab') {
      problems.push(
        `${path} is stripped${table.table === 'none' ? '' : ' (it has exported names only)'}: patchable entries of functions without a name cannot be selected by name. Build without -s and without strip.`,
      );
    } else if (debug.functions.length === 0) {
      problems.push(
        `${path} has no debug information: source lines and inlined copies are unknown. Build with -g.`,
      );
    }
    if (debug.splitUnits > 0) {
      problems.push(
        `${path}: the debug information of ${debug.splitUnits} units lies in other files (-gsplit-dwarf), which are not read. Build with -gno-split-dwarf.`,
      );
    }
    const named = nameFunctions(debug, table.symbols, entries, addresses);
    const shown = await demangle(
      named.functions.map((f) => f.mangledName),
      options,
    );
    const buildId = file.buildId();
    return {
      kymoSymbols: symbolsVersion,
      ...present({ buildId }),
      units: readUnitHashes(file),
      functions: named.functions.map((f) => ({ ...f, name: shown.get(f.mangledName) ?? f.name })),
      sleds: sleds.map((s) => ({
        offset: s.address,
        kind: s.kind,
        unit: s.unit,
        number: s.number,
        chain: named.chainAt(s.address),
      })),
      entries: named.entries,
      problems,
    };
  });
}

/**
 * The current build id of an executable, hex, to detect a new build. Throws a `KymoError` if it cannot be
 * read or has none.
 */
export function currentBuildId(path: string): Promise<string> {
  return withFileSource(path, (source) => {
    const buildId = ElfFile.open(source).buildId();
    if (buildId !== undefined) return buildId;
    throw new KymoError('no-build-id', withoutBuildId(path), { file: path });
  });
}

/** A sentence for an object without a build id, which selections need. */
export function withoutBuildId(path: string): string {
  return `${path} has no build id, so a selection could be applied to another build of it. Link it with Kymo's compiler wrappers, or with -Wl,--build-id.`;
}

/** Other work has its turn after this time. */
const sliceMilliseconds = 30;

async function readDebug(
  file: ElfFile,
  addresses: Float64Array,
  problems: string[],
  signal: AbortSignal | undefined,
): Promise<DebugFunctions> {
  try {
    const reading = readDebugFunctions(file, addresses);
    let pause = performance.now() + sliceMilliseconds;
    for (;;) {
      const step = reading.next();
      if (step.done === true) return step.value;
      if (performance.now() < pause) continue;
      await setImmediate();
      signal?.throwIfAborted();
      pause = performance.now() + sliceMilliseconds;
    }
  } catch (error) {
    if (!(error instanceof KymoError)) throw error;
    problems.push(`The debug information cannot be read, so source lines are missing: ${error.message}`);
    return nothing;
  }
}

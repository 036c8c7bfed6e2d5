import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { KymoError } from '../../../core/errors';
import { remembered } from '../../../core/remembered';
import type { NamedSource } from '../../../formats/byteSource';
import { elf, ElfFile, type Section } from '../../../formats/elf/elfFile';
import { FrameTable } from '../../../formats/elf/frames/frameTable';
import { carriesSites } from '../../../formats/elf/siteRecords';
import { functionSymbols } from '../../../formats/elf/symbolTable';
import { withFileSource } from '../../files/fileSource';
import { withoutCloneSuffix } from '../mangledNames';
import type { FunctionSymbol } from '../objectSymbols';
import { readFunctionSymbols, type SymbolOptions } from '../symbolCache';
import { SymbolIndex } from '../symbolIndex';
import { CodeMap, type MappedCode } from './codeMap';

/** A function of an object, as its symbols tell it. */
export interface NamedCode {
  /** Of the linker, with suffixes of clones. */
  readonly symbol: string;
  /** What is known beside it of objects that Kymo's wrappers have compiled. */
  readonly function?: FunctionSymbol;
}

/** What the stacks of a process need to know of an executable or a library. */
export class ObjectCode {
  private readonly byAddress: ReadonlyMap<number, FunctionSymbol>;
  private readonly byName: ReadonlyMap<string, FunctionSymbol>;

  constructor(
    readonly frames: FrameTable,
    private readonly sections: readonly Section[],
    private readonly symbols: SymbolIndex,
    /** Kymo's wrappers have compiled it. */
    readonly isMeasured: boolean,
    functions: readonly FunctionSymbol[],
  ) {
    this.byAddress = new Map(functions.flatMap((f) => (f.address === undefined ? [] : [[f.address, f]])));
    this.byName = new Map(functions.map((f) => [f.mangledName, f]));
  }

  /** What is subtracted from an address in the process to get the linked one. */
  bias({ begin, end, offset }: MappedCode): number | undefined {
    const section = this.sections.find(
      (s) => s.fileOffset + s.size > offset && s.fileOffset < offset + (end - begin),
    );
    return section === undefined ? undefined : begin + (section.fileOffset - offset) - section.address;
  }

  /** @param address as linked */
  at(address: number): NamedCode | undefined {
    const symbol = this.symbols.containing(address);
    if (symbol === undefined) return undefined;
    const known = this.byAddress.get(symbol.address) ?? this.byName.get(withoutCloneSuffix(symbol.name));
    return known === undefined ? { symbol: symbol.name } : { symbol: symbol.name, function: known };
  }
}

/** The objects of processes, each read once. One for all processes of a run. */
export class ObjectCodes {
  private readonly objects = new Map<string, Promise<ObjectCode | undefined>>();

  constructor(private readonly options: SymbolOptions = {}) {}

  /** @returns undefined for what cannot be read: code that is on no disk, or was replaced there */
  of({ file }: MappedCode): Promise<ObjectCode | undefined> {
    return remembered(this.objects, file, () =>
      this.read(file).catch((error: unknown) => {
        if (error instanceof KymoError) return undefined;
        throw error;
      }),
    );
  }

  private async read(file: string): Promise<ObjectCode | undefined> {
    if (file === '[vdso]') return objectOf(ownVdso(), []);
    // The kernel marks files that are gone; what has the name now is another one. Opening a pipe would wait for ever.
    if (!file.startsWith('/') || file.endsWith(' (deleted)') || !isFile(file)) return undefined;
    const isMeasured = await withFileSource(file, (source) => carriesSites(ElfFile.open(source)));
    const functions = isMeasured ? await readFunctionSymbols(file, this.options) : [];
    return withFileSource(file, (source) => objectOf(source, functions, isMeasured));
  }
}

function objectOf(source: NamedSource, functions: readonly FunctionSymbol[], isMeasured = false): ObjectCode {
  const file = ElfFile.open(source);
  const code = file.sections.filter(
    ({ flags, type }) =>
      (flags & elf.flag.executable) !== 0 && (flags & elf.flag.alloc) !== 0 && type !== elf.section.nobits,
  );
  const symbols = new SymbolIndex(functionSymbols(file).symbols);
  return new ObjectCode(FrameTable.read(file), code, symbols, isMeasured, functions);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The kernel gives every process of a host the same object for fast system calls, and has no file of it. */
function ownVdso(): NamedSource {
  const vdso = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .find((text) => text.endsWith('[vdso]'));
  const bounds = vdso === undefined ? undefined : new CodeMap(vdso).at(Number.parseInt(vdso, 16));
  const bytes = Buffer.alloc(bounds === undefined ? 0 : bounds.end - bounds.begin);
  if (bounds !== undefined) {
    const memory = openSync('/proc/self/mem', 'r');
    try {
      readSync(memory, bytes, 0, bytes.length, bounds.begin);
    } finally {
      closeSync(memory);
    }
  }
  return {
    file: '[vdso]',
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  };
}

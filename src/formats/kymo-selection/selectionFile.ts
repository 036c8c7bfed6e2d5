import { KymoError } from '../../core/errors';

/** The sites that the runtime patches (docs/formats.md, "Selection file"). */
export interface SelectionFile {
  /** 16 hex digits; the result repeats it. */
  readonly id: string;
  /** Slots are 0 … count − 1. */
  readonly slotCount: number;
  /** Slots whose visits are the iterations; with any, the file is of version 3. */
  readonly phases?: readonly number[];
  /** Slots of which not every visit is timed; without any, the file is of version 1. */
  readonly samples?: readonly SelectionSample[];
  readonly objects: readonly SelectionObject[];
}

export interface SelectionSample {
  readonly slot: number;
  /** The runtime times about one of `interval` visits; a power of two from 2 to 65536. */
  readonly interval: number;
}

/** Sizes of the runtime's tables. */
export const maximumSamples = 1024;
export const maximumPhases = 64;

export interface SelectionObject {
  /** Hex. */
  readonly buildId: string;
  /** For messages only. */
  readonly name: string;
  readonly sites: readonly SelectionSite[];
}

export interface SelectionSite {
  readonly kind: 'entry' | 'in' | 'out';
  readonly slot: number;
  /** As linked. */
  readonly offset: number;
}

export type SelectionFileErrorReason = 'invalid-selection-file';

export function printSelectionFile(selection: SelectionFile): string {
  const { phases = [], samples = [] } = selection;
  const version = phases.length > 0 ? 3 : samples.length > 0 ? 2 : 1;
  const lines = [`kymo-selection ${version}`, `id ${selection.id}`, `slots ${selection.slotCount}`];
  for (const slot of phases) lines.push(`phase ${slot}`);
  for (const { slot, interval } of samples) lines.push(`sample ${slot} ${interval}`);
  for (const object of selection.objects) {
    lines.push(`object ${object.buildId} ${oneLine(object.name)}`);
    for (const { kind, slot, offset } of object.sites) lines.push(`${kind} ${slot} ${offset.toString(16)}`);
  }
  lines.push('end', '');
  return lines.join('\n');
}

/** A file may be called anything; in the selection file its name is one line. */
function oneLine(name: string): string {
  const plain = name.replace(/[\p{Cc}\u2028\u2029]/gu, '?').trim();
  return plain === '' ? '?' : plain;
}

/** Throws a `KymoError` with file and line. */
export function parseSelectionFile(text: string, file: string): SelectionFile {
  const parser = new Parser(file);
  for (const line of text.split('\n')) if (parser.accept(line)) break;
  return parser.finish();
}

type MutableObject = Omit<SelectionObject, 'sites'> & { readonly sites: SelectionSite[] };

class Parser {
  private line = 0;
  private id: string | undefined;
  private slotCount: number | undefined;
  private readonly phases: number[] = [];
  private readonly samples: SelectionSample[] = [];
  private readonly objects: MutableObject[] = [];
  private ended = false;

  constructor(private readonly file: string) {}

  /** True after the last line. */
  accept(line: string): boolean {
    this.line++;
    if (this.line === 1) return this.version(line);
    const [word = '', first = '', ...rest] = line.split(' ');
    switch (word) {
      case 'id':
        this.id = this.matching(first, /^[0-9a-f]{16}$/, '16 hex digits');
        return false;
      case 'slots':
        this.slotCount = this.number(first, 10);
        return false;
      case 'phase':
        this.phase(this.number(first, 10));
        return false;
      case 'sample':
        this.sample(this.number(first, 10), this.number(rest[0] ?? '', 10));
        return false;
      case 'object':
        this.objects.push({
          buildId: this.matching(first, /^[0-9a-f]+$/, 'a build id in hex'),
          name: rest.join(' '),
          sites: [],
        });
        return false;
      case 'entry':
      case 'in':
      case 'out':
        this.site(word, this.number(first, 10), this.number(rest[0] ?? '', 16));
        return false;
      case 'end':
        this.ended = true;
        return true;
      default:
        return this.fail(`"${word}" is not known`);
    }
  }

  private version(line: string): false {
    if (!/^kymo-selection [123]$/.test(line)) this.fail('the first line is not "kymo-selection 1", 2 or 3');
    return false;
  }

  finish(): SelectionFile {
    const { id, slotCount, objects } = this;
    if (!this.ended) this.fail('there is no line "end": the file was cut off');
    if (id === undefined || slotCount === undefined) return this.fail('"id" or "slots" is missing');
    return {
      id,
      slotCount,
      ...(this.phases.length === 0 ? {} : { phases: this.phases }),
      ...(this.samples.length === 0 ? {} : { samples: this.samples }),
      objects,
    };
  }

  private phase(slot: number): void {
    if (this.objects.length + this.samples.length > 0)
      this.fail('"phase" stands behind a "sample" or an "object"');
    if (slot >= (this.slotCount ?? 0)) this.fail(`slot ${slot} is not below "slots"`);
    if (this.phases.push(slot) > maximumPhases) this.fail(`more than ${maximumPhases} slots are phases`);
  }

  private sample(slot: number, interval: number): void {
    if (this.objects.length > 0) this.fail('"sample" stands behind an "object"');
    if (slot >= (this.slotCount ?? 0)) this.fail(`slot ${slot} is not below "slots"`);
    if (interval < 2 || interval > 65536 || !Number.isInteger(Math.log2(interval)))
      this.fail(`${interval} is not a power of two from 2 to 65536`);
    if (this.samples.push({ slot, interval }) > maximumSamples)
      this.fail(`more than ${maximumSamples} slots are sampled`);
  }

  private site(kind: SelectionSite['kind'], slot: number, offset: number): void {
    const object = this.objects.at(-1);
    if (object === undefined) return this.fail(`"${kind}" stands before the first "object"`);
    if (slot >= (this.slotCount ?? 0)) this.fail(`slot ${slot} is not below "slots"`);
    object.sites.push({ kind, slot, offset });
  }

  private number(text: string, radix: 10 | 16): number {
    const digits = this.matching(text, radix === 10 ? /^\d{1,15}$/ : /^[0-9a-f]{1,13}$/, 'a number');
    return Number.parseInt(digits, radix);
  }

  private matching(text: string, pattern: RegExp, expected: string): string {
    return pattern.test(text) ? text : this.fail(`expected ${expected}, found "${text.slice(0, 40)}"`);
  }

  private fail(message: string): never {
    const place = { file: this.file, line: Math.max(this.line, 1) };
    throw new KymoError<SelectionFileErrorReason>(
      'invalid-selection-file',
      `${this.file}:${place.line}: ${message}. The tool writes this file anew for each run.`,
      place,
    );
  }
}

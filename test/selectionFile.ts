// Reads the selection files that are printed for the runtime, as strictly as the runtime does.
import {
  maximumPhases,
  maximumSamples,
  type SelectionFile,
  type SelectionObject,
  type SelectionSample,
  type SelectionSite,
} from '../src/formats/kymo-selection/selectionFile';

/** @throws Error at a line that the runtime would refuse */
export function parseSelectionFile(text: string): SelectionFile {
  const parser = new Parser();
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
  private readonly idle: number[] = [];
  private readonly objects: MutableObject[] = [];
  private ended = false;

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
        return this.slotLine(word, first);
    }
  }

  private version(line: string): false {
    if (!/^kymo-selection [1234]$/.test(line))
      this.fail('the first line is not "kymo-selection 1", 2, 3 or 4');
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
      ...(this.idle.length === 0 ? {} : { idle: this.idle }),
      objects,
    };
  }

  private phase(slot: number): void {
    if (this.objects.length + this.samples.length + this.idle.length > 0)
      this.fail('"phase" stands behind a "sample", an "idle" or an "object"');
    if (slot >= (this.slotCount ?? 0)) this.fail(`slot ${slot} is not below "slots"`);
    if (this.phases.push(slot) > maximumPhases) this.fail(`more than ${maximumPhases} slots are phases`);
  }

  private sample(slot: number, interval: number): void {
    if (this.objects.length + this.idle.length > 0)
      this.fail('"sample" stands behind an "idle" or an "object"');
    if (slot >= (this.slotCount ?? 0)) this.fail(`slot ${slot} is not below "slots"`);
    if (interval < 2 || interval > 65536 || !Number.isInteger(Math.log2(interval)))
      this.fail(`${interval} is not a power of two from 2 to 65536`);
    if (this.samples.push({ slot, interval }) > maximumSamples)
      this.fail(`more than ${maximumSamples} slots are sampled`);
  }

  private slotLine(word: string, slot: string): false {
    if (word === 'phase') this.phase(this.number(slot, 10));
    else if (word === 'idle') this.isIdle(this.number(slot, 10));
    else this.fail(`"${word}" is not known`);
    return false;
  }

  private isIdle(slot: number): void {
    if (this.objects.length > 0) this.fail('"idle" stands behind an "object"');
    this.idle.push(slot);
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
    throw new Error(`line ${this.line}: ${message}`);
  }
}

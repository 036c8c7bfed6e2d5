import { globalName, namesIn, plainName } from './symbolNames';

/** What one function does, with the names of all global values it uses; which of them are functions is known at the end. */
export interface FunctionBody {
  readonly callees: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
  readonly indirectCalls: number;
  /** On which class: by its type's name (`_ZTS5Shape`), or a node of metadata for classes of this unit alone. */
  readonly virtualCalls: readonly { readonly type: string | number; readonly slot: number }[];
}

const callPattern = /(?:^|\s)(?:call|invoke|callbr)\s/;
/** The first name before a bracket: types and attributes that stand before it have no such form. */
const calleePattern = new RegExp(String.raw`(${globalName}|%(?:"[^"]*"|[-\w$.]+))\(`);
const asmPattern = / asm (?:(?:sideeffect|alignstack|inteldialect|unwind) )*"/;
const typeTestPattern =
  /@llvm\.(?:public\.)?type\.test\(ptr (%[-\w$.]+), metadata !(?:"(_ZTS[^".]*)"|(\d+))\)/;
const slotPattern = /^(%[-\w$.]+) = getelementptr [\w ]*ptr, ptr (%[-\w$.]+), i64 (\d+)(?:,|$)/;
const loadPattern = /^(%[-\w$.]+) = load ptr, ptr (%[-\w$.]+)(?:,|$)/;

/** A place in the virtual table that a register points to. */
interface Slot {
  readonly table: string;
  readonly slot: number;
}

/** Reads the instructions of one function. Registers are assigned once, so what they mean needs no flow. */
export class FunctionBodyReader implements FunctionBody {
  readonly callees = new Set<string>();
  readonly references = new Set<string>();
  readonly virtualCalls: { readonly type: string | number; readonly slot: number }[] = [];
  indirectCalls = 0;
  /** Registers that hold a virtual table, with the class it is of. */
  private readonly tables = new Map<string, string | number>();
  private readonly slots = new Map<string, Slot>();
  /** Registers that were loaded, with where from. */
  private readonly loads = new Map<string, string>();

  /** One instruction, or one line of a longer one, without the blanks before it. */
  line(text: string): void {
    if (callPattern.test(text)) this.call(text);
    else {
      this.note(text);
      this.refer(text);
    }
  }

  private note(text: string): void {
    if (!text.startsWith('%')) return;
    const load = loadPattern.exec(text);
    if (load !== null) {
      this.loads.set(load[1] ?? '', load[2] ?? '');
      return;
    }
    const slot = slotPattern.exec(text);
    // Only tables that were named are remembered: other arrays of pointers look alike.
    if (slot !== null && this.tables.has(slot[2] ?? ''))
      this.slots.set(slot[1] ?? '', { table: slot[2] ?? '', slot: Number(slot[3]) });
  }

  private call(text: string): void {
    const test = typeTestPattern.exec(text);
    if (test !== null) {
      this.tables.set(test[1] ?? '', test[2] ?? Number(test[3]));
      return;
    }
    const callee = asmPattern.test(text) ? null : calleePattern.exec(text);
    const name = callee?.[1] ?? '';
    if (name.startsWith('%')) this.indirect(name);
    else if (name !== '') this.callees.add(plainName(name));
    this.refer(callee === null ? text : text.slice(callee.index + name.length));
  }

  private indirect(register: string): void {
    const from = this.loads.get(register) ?? '';
    const slot = this.slots.get(from) ?? { table: from, slot: 0 };
    const type = this.tables.get(slot.table);
    if (type === undefined) this.indirectCalls++;
    else this.virtualCalls.push({ type, slot: slot.slot });
  }

  private refer(text: string): void {
    for (const name of namesIn(text)) this.references.add(name);
  }
}

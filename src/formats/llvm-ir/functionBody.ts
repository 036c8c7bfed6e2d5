import { globalName, namesIn, plainName } from './symbolNames';

/** Calls and references of one function, with the names of all global values that it uses; only the end of the module determines which of them are functions. */
export interface FunctionBody {
  readonly callees: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
  readonly indirectCalls: number;
  /** The class: its type's name (`_ZTS5Shape`), or a metadata node for a class of this unit alone. */
  readonly virtualCalls: readonly { readonly type: string | number; readonly slot: number }[];
}

const callPattern = /(?:^|\s)(?:call|invoke|callbr)\s/;
/** The first name before a parenthesis: types and attributes before it have no such form. */
const calleePattern = new RegExp(String.raw`(${globalName}|%(?:"[^"]*"|[-\w$.]+))\(`);
const asmPattern = / asm (?:(?:sideeffect|alignstack|inteldialect|unwind) )*"/;
const typeTestPattern =
  /@llvm\.(?:public\.)?type\.test\(ptr (%[-\w$.]+), metadata !(?:"(_ZTS[^".]*)"|(\d+))\)/;
const slotPattern = /^(%[-\w$.]+) = getelementptr [\w ]*ptr, ptr (%[-\w$.]+), i64 (\d+)(?:,|$)/;
const loadPattern = /^(%[-\w$.]+) = load ptr, ptr (%[-\w$.]+)(?:,|$)/;

/** A slot of the virtual table that a register points to. */
interface Slot {
  readonly table: string;
  readonly slot: number;
}

/** Reads the instructions of one function. Registers are assigned once, so no control flow is needed to interpret them. */
export class FunctionBodyReader implements FunctionBody {
  readonly callees = new Set<string>();
  readonly references = new Set<string>();
  readonly virtualCalls: { readonly type: string | number; readonly slot: number }[] = [];
  indirectCalls = 0;
  /** Registers with a virtual table, and its class. */
  private readonly tables = new Map<string, string | number>();
  private readonly slots = new Map<string, Slot>();
  /** Loaded registers, with the register of the address. */
  private readonly loads = new Map<string, string>();

  /** Reads one instruction, or one line of a longer one, without indentation. */
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
    // Only slots of known virtual tables are stored: accesses to other arrays of pointers look alike.
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

import type { Cursor } from '../cursor';
import type { CommonFrame, FrameDescription } from './frameTable';

/** Where the caller's value of a register is: at an offset from the frame's address (CFA), that address itself, in a register, or what an expression says. */
export type RegisterRule =
  | { readonly kind: 'undefined' | 'same' }
  | { readonly kind: 'at' | 'is'; readonly offset: number }
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'atExpression' | 'isExpression'; readonly expression: Cursor };

export type CfaRule =
  | { readonly kind: 'register'; readonly register: number; readonly offset: number }
  | { readonly kind: 'expression'; readonly expression: Cursor };

/** How a frame and its caller's registers are found at one instruction. */
export interface FrameRow {
  readonly cfa: CfaRule | undefined;
  readonly registers: ReadonlyMap<number, RegisterRule>;
}

/**
 * The row of a table of frame rules (DWARF 5, 6.4.1) at a linked address.
 * @returns undefined when there is an instruction that is not known
 * @throws KymoError<ElfErrorReason> when an instruction is cut off
 */
export function rowAt(description: FrameDescription, address: number): FrameRow | undefined {
  const { common, instructions, begin } = description;
  const program = new RuleProgram(common, begin, address);
  if (!program.run(copyOf(common.initial))) return undefined;
  program.keepInitial();
  return program.run(copyOf(instructions)) ? program.row : undefined;
}

const copyOf = (cursor: Cursor): Cursor => cursor.at(cursor.offset, cursor.end);

/** More remembered rows are no table that a compiler makes. */
const mostRemembered = 64;

class RuleProgram {
  private cfa: CfaRule | undefined;
  private rules = new Map<number, RegisterRule>();
  private initial: ReadonlyMap<number, RegisterRule> = new Map();
  private readonly remembered: FrameRow[] = [];

  constructor(
    private readonly common: CommonFrame,
    private location: number,
    private readonly address: number,
  ) {}

  get row(): FrameRow {
    return { cfa: this.cfa, registers: this.rules };
  }

  keepInitial(): void {
    this.initial = new Map(this.rules);
  }

  /** Up to the address. @returns whether all instructions were known */
  run(cursor: Cursor): boolean {
    while (!cursor.atEnd && this.location <= this.address) {
      const code = cursor.u8();
      const low = code & 0x3f;
      if (code >> 6 === 1) this.advance(low);
      else if (code >> 6 === 2) this.set(low, this.scaled('at', cursor.uleb()));
      else if (code >> 6 === 3) this.restore(low);
      else if (!this.extended(low, cursor)) return false;
    }
    return true;
  }

  private extended(code: number, cursor: Cursor): boolean {
    const instruction = instructions.get(code);
    return instruction !== undefined && instruction(this, cursor, this.common) !== false;
  }

  advance(delta: number): void {
    this.location += delta * this.common.codeAlignment;
  }

  goTo(location: number): void {
    this.location = location;
  }

  set(register: number, rule: RegisterRule): void {
    this.rules.set(register, rule);
  }

  scaled(kind: 'at' | 'is', factor: number): RegisterRule {
    return { kind, offset: factor * this.common.dataAlignment };
  }

  restore(register: number): void {
    const rule = this.initial.get(register);
    if (rule === undefined) this.rules.delete(register);
    else this.rules.set(register, rule);
  }

  setCfa(cfa: CfaRule): void {
    this.cfa = cfa;
  }

  /** @returns false when the frame's address is no register's offset */
  changeCfa(change: { readonly register?: number; readonly offset?: number }): boolean {
    if (this.cfa?.kind !== 'register') return false;
    this.cfa = { ...this.cfa, ...change };
    return true;
  }

  remember(): boolean {
    this.remembered.push({ cfa: this.cfa, registers: new Map(this.rules) });
    return this.remembered.length <= mostRemembered;
  }

  recall(): boolean {
    const row = this.remembered.pop();
    if (row === undefined) return false;
    this.cfa = row.cfa;
    this.rules = new Map(row.registers);
    return true;
  }
}

/** The bytes of an expression, which the cursor leaves behind. */
function block(cursor: Cursor): Cursor {
  const size = cursor.uleb();
  const begin = cursor.offset;
  cursor.skip(size);
  return cursor.at(begin, begin + size);
}

/** An instruction. False: it makes no sense. */
type Instruction = (program: RuleProgram, cursor: Cursor, common: CommonFrame) => unknown;

const withRegister =
  (rule: (cursor: Cursor, program: RuleProgram) => RegisterRule): Instruction =>
  (program, cursor) => {
    const register = cursor.uleb();
    program.set(register, rule(cursor, program));
  };

const instructions: ReadonlyMap<number, Instruction> = new Map<number, Instruction>([
  [0x00, () => undefined],
  [0x01, (program, cursor, { pointer }) => program.goTo(pointer(cursor))],
  [0x02, (program, cursor) => program.advance(cursor.u8())],
  [0x03, (program, cursor) => program.advance(cursor.u16())],
  [0x04, (program, cursor) => program.advance(cursor.u32())],
  [0x05, withRegister((cursor, program) => program.scaled('at', cursor.uleb()))],
  [0x06, (program, cursor) => program.restore(cursor.uleb())],
  [0x07, withRegister(() => ({ kind: 'undefined' }))],
  [0x08, withRegister(() => ({ kind: 'same' }))],
  [0x09, withRegister((cursor) => ({ kind: 'register', register: cursor.uleb() }))],
  [0x0a, (program) => program.remember()],
  [0x0b, (program) => program.recall()],
  [
    0x0c,
    (program, cursor) => program.setCfa({ kind: 'register', register: cursor.uleb(), offset: cursor.uleb() }),
  ],
  [0x0d, (program, cursor) => program.changeCfa({ register: cursor.uleb() })],
  [0x0e, (program, cursor) => program.changeCfa({ offset: cursor.uleb() })],
  [0x0f, (program, cursor) => program.setCfa({ kind: 'expression', expression: block(cursor) })],
  [0x10, withRegister((cursor) => ({ kind: 'atExpression', expression: block(cursor) }))],
  [0x11, withRegister((cursor, program) => program.scaled('at', cursor.sleb()))],
  [
    0x12,
    (program, cursor, { dataAlignment }) =>
      program.setCfa({
        kind: 'register',
        register: cursor.uleb(),
        offset: cursor.sleb() * dataAlignment,
      }),
  ],
  [
    0x13,
    (program, cursor, { dataAlignment }) => program.changeCfa({ offset: cursor.sleb() * dataAlignment }),
  ],
  [0x14, withRegister((cursor, program) => program.scaled('is', cursor.uleb()))],
  [0x15, withRegister((cursor, program) => program.scaled('is', cursor.sleb()))],
  [0x16, withRegister((cursor) => ({ kind: 'isExpression', expression: block(cursor) }))],
  // Whether the return address is signed (aarch64) is seen from the address itself.
  [0x2d, () => undefined],
  // The bytes of pushed arguments: only for whoever unwinds for good.
  [0x2e, (_, cursor) => void cursor.uleb()],
  [0x2f, withRegister((cursor, program) => program.scaled('at', -cursor.uleb()))],
]);

import { at } from '../../../core/at';
import { firstPosition } from '../../../core/firstPosition';
import type { LineTable } from './lineTable';

/** File and line of an instruction. */
export interface SourceLine {
  readonly file: string | undefined;
  readonly line: number;
}

const standard = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  constAddPc: 8,
  fixedAdvancePc: 9,
} as const;
const extended = { endSequence: 1, setAddress: 2 } as const;

/**
 * The source lines of given addresses: runs the line-number program once (DWARF 5, §6.2.5) and stores only these.
 * @param wanted addresses, ascending
 */
export function linesOf(table: LineTable, wanted: readonly number[]): ReadonlyMap<number, SourceLine> {
  const machine = new Machine(table, wanted);
  // Stop at the end of this program: the programs of other units follow.
  const cursor = table.program.at(table.program.offset, table.program.end);
  while (!cursor.atEnd) {
    const opcode = cursor.u8();
    if (opcode > table.operandCounts.length) machine.special(opcode - table.operandCounts.length - 1);
    else if (opcode === 0) {
      const length = cursor.uleb();
      if (length === 0) continue;
      const next = cursor.offset + length;
      const code = cursor.u8();
      if (code === extended.endSequence) machine.endSequence();
      else if (code === extended.setAddress) machine.address = cursor.unsigned(table.addressSize);
      cursor.skip(Math.max(next - cursor.offset, 0));
    } else machine.standard(opcode, cursor);
  }
  return machine.lines;
}

class Machine {
  readonly lines = new Map<number, SourceLine>();
  address = 0;
  private file = 1;
  private line = 1;
  /** The previous row; it applies from its address up to the next row's. */
  private last: { readonly address: number; readonly file: number; readonly line: number } | undefined;

  constructor(
    private readonly table: LineTable,
    private readonly wanted: readonly number[],
  ) {}

  special(adjusted: number): void {
    const { lineBase, lineRange, minimumInstructionLength } = this.table;
    if (lineRange === 0) this.table.program.fail('a line table without a range of lines');
    this.address += Math.floor(adjusted / lineRange) * minimumInstructionLength;
    this.line += lineBase + (adjusted % lineRange);
    this.row();
  }

  standard(opcode: number, cursor: LineTable['program']): void {
    const { minimumInstructionLength, lineRange, operandCounts } = this.table;
    switch (opcode) {
      case standard.copy:
        this.row();
        return;
      case standard.advancePc:
        this.address += cursor.uleb() * minimumInstructionLength;
        return;
      case standard.advanceLine:
        this.line += cursor.sleb();
        return;
      case standard.setFile:
        this.file = cursor.uleb();
        return;
      case standard.constAddPc:
        if (lineRange === 0) cursor.fail('a line table without a range of lines');
        this.address += Math.floor((255 - operandCounts.length - 1) / lineRange) * minimumInstructionLength;
        return;
      case standard.fixedAdvancePc:
        this.address += cursor.u16();
        return;
      default:
        for (let i = operandCounts[opcode - 1] ?? 0; i > 0; i--) cursor.uleb();
    }
  }

  endSequence(): void {
    this.answer();
    this.last = undefined;
    this.address = 0;
    this.file = 1;
    this.line = 1;
  }

  private row(): void {
    this.answer();
    this.last = { address: this.address, file: this.file, line: this.line };
  }

  /** Assigns the previous row to the wanted addresses between it and this row. */
  private answer(): void {
    if (this.last === undefined || this.address <= this.last.address) return;
    const { address, file, line } = this.last;
    const { wanted } = this;
    for (let i = firstPosition(wanted.length, (p) => at(wanted, p) >= address); i < wanted.length; i++) {
      const covered = at(wanted, i);
      if (covered >= this.address) return;
      if (line > 0) this.lines.set(covered, { file: this.table.files[file], line });
    }
  }
}

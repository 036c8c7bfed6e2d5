import { at, atUint } from '../at';
import { compileRegex, isWordCode, type Instruction, type RegexProgram } from './regexProgram';

export interface NameQuery {
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Whether a text matches the search. */
export type NameTest = (text: string) => boolean;

/** Throws `KymoError` (`pattern-invalid`). An empty query matches nothing. */
export function nameTest({ text, regex, matchCase }: NameQuery): NameTest {
  if (text === '') return () => false;
  if (regex) {
    const machine = new Machine(compileRegex(text, !matchCase));
    return (name) => machine.test(name);
  }
  if (matchCase) return (name) => name.includes(text);
  const wanted = text.toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}

/** 1 for each region whose shown or full name matches. */
export function matchingRegions(
  names: readonly string[],
  folded: readonly string[],
  test: NameTest,
): Uint8Array {
  return Uint8Array.from(names, (name, index) => {
    const short = folded[index];
    return test(name) || (short !== undefined && short !== name && test(short)) ? 1 : 0;
  });
}

/** Positions of the call paths whose region is marked, ascending. */
export function matchingCallPaths(region: Uint32Array, marked: Uint8Array): Uint32Array {
  const paths = new Uint32Array(region.length);
  let count = 0;
  for (let i = 0; i < region.length; i++) if (marked[atUint(region, i)] === 1) paths[count++] = i;
  return paths.slice(0, count);
}

/** A set of states of the automaton. Assertions are decided with the next character. */
interface State {
  readonly pending: readonly number[];
  readonly afterWord: boolean;
  readonly atStart: boolean;
  /** Next state by ASCII character; true: matched. */
  readonly ascii: (State | true | undefined)[];
  readonly atEnd: { matches?: boolean };
}

/** Maximum number of states in memory; with more, all are discarded and made again. */
const mostStates = 2000;
const endOfText = -1;

/** A lazily built deterministic automaton: linear in the text for every pattern. */
class Machine {
  private readonly states = new Map<string, State>();

  constructor(private readonly program: RegexProgram) {}

  test(text: string): boolean {
    let state = this.state([], false, true);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let next = code < 128 ? state.ascii[code] : undefined;
      if (next === undefined) {
        next = this.step(state, code);
        if (code < 128) state.ascii[code] = next;
      }
      if (next === true) return true;
      state = next;
    }
    return (state.atEnd.matches ??= this.closure(state, endOfText) === true);
  }

  private step(state: State, code: number): State | true {
    const reached = this.closure(state, code);
    if (reached === true) return true;
    const pending = new Set<number>();
    for (const state of reached) {
      const instruction = at(this.program.instructions, state);
      if (instruction.kind === 'character' && instruction.matches(code)) pending.add(instruction.next);
    }
    return this.state(
      [...pending].sort((a, b) => a - b),
      isWordCode(code),
      false,
    );
  }

  /** Returns all instructions that are reached without a character, from this state or from the start; true if a match is among them. */
  private closure(state: State, code: number): ReadonlySet<number> | true {
    const reached = new Set<number>();
    const open = [...state.pending, this.program.start];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (reached.has(position)) continue;
      reached.add(position);
      const instruction = at(this.program.instructions, position);
      if (instruction.kind === 'match') return true;
      if (instruction.kind === 'split') open.push(instruction.next, instruction.other);
      else if (instruction.kind === 'assert' && holds(instruction, state, code)) open.push(instruction.next);
    }
    return reached;
  }

  private state(pending: readonly number[], afterWord: boolean, atStart: boolean): State {
    const key = `${pending.join()} ${afterWord} ${atStart}`;
    const existing = this.states.get(key);
    if (existing !== undefined) return existing;
    if (this.states.size >= mostStates) this.states.clear();
    const state = { pending, afterWord, atStart, ascii: [], atEnd: {} };
    this.states.set(key, state);
    return state;
  }
}

function holds({ where }: Extract<Instruction, { kind: 'assert' }>, state: State, code: number): boolean {
  if (where === 'start') return state.atStart;
  if (where === 'end') return code === endOfText;
  return state.afterWord !== (code !== endOfText && isWordCode(code));
}

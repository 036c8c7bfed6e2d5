import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isRecord } from '../../../core/present';
import { KymoError } from '../../../core/errors';

/** What is kept of a program. */
interface Kept {
  readonly program: string;
  /** State of the view that showed a profile of it last. */
  readonly state?: string;
  /** Functions that the user put into groups, by name: a list, for names are hostile. */
  readonly moved: readonly (readonly [name: string, group: string])[];
}

const key = 'kymo.hotSpots.programs';
/** Programs that are kept, the ones that were shown last. */
const mostPrograms = 20;
const mostMoved = 2000;
/** Characters of the longest name that is kept. */
const longestName = 4000;

/** How the user looks at the profiles of programs, kept with the workspace: groups of functions, and the last state of the view. */
export class Programs {
  private readonly listeners = new Set<(program: string) => void>();

  /** @param memory of the workspace; another version may have written what it has */
  constructor(private readonly memory: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** Functions of a program were put into other groups. @returns ends the calls of the listener */
  onDidMove(listener: (program: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  moved(program: string): Kept['moved'] {
    return this.of(program).moved;
  }

  remembered(program: string): string | undefined {
    return this.of(program).state;
  }

  async remember(program: string, state: string): Promise<void> {
    await this.keep({ ...this.of(program), state });
  }

  /** @param group empty: its own one @throws KymoError `name-too-long` */
  async move(program: string, name: string, group: string): Promise<void> {
    if (name.length > longestName)
      throw new KymoError(
        'name-too-long',
        l10n.t`The function stays in its group: its name has ${name.length} characters, and Kymo keeps the groups of names of at most ${longestName}.`,
      );
    const kept = this.of(program);
    const others = kept.moved.filter(([other]) => other !== name);
    const moved: Kept['moved'] = group === '' ? others : [...others, [name, group]];
    await this.keep({ ...kept, moved: moved.slice(-mostMoved) });
    for (const listener of this.listeners) listener(program);
  }

  private of(program: string): Kept {
    return this.all.find((kept) => kept.program === program) ?? { program, moved: [] };
  }

  private get all(): readonly Kept[] {
    const stored = this.memory.get<unknown>(key);
    return Array.isArray(stored) ? stored.flatMap((kept: unknown) => readKept(kept) ?? []) : [];
  }

  private async keep(kept: Kept): Promise<void> {
    const others = this.all.filter(({ program }) => program !== kept.program);
    await this.memory.update(key, [kept, ...others].slice(0, mostPrograms));
  }
}

function readKept(value: unknown): Kept | undefined {
  if (!isRecord(value) || typeof value.program !== 'string' || !Array.isArray(value.moved)) return undefined;
  const { program, state } = value;
  const moved = value.moved.filter(
    (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
  );
  return { program, moved, ...(typeof state === 'string' && { state }) };
}

import path from 'node:path';
import { JsonSchema } from '../../core/jsonSchema';
import type { CallGraph } from '../../core/callgraph/callGraph';
import type { SiteKind } from '../../core/cost/pairCost';
import { present } from '../../core/present';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';

/** Beside `live.json`: the functions of the program, and which of them are recorded. Rewritten as a whole whenever that changes. */
export const liveFunctionsFileName = 'live-functions.json';

/** A function of a program that is watched. */
export interface LiveFunction {
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute. */
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  /** `phase`: its visits are the iterations, so that it stays recorded. `none`: the executable has no patch point for it. */
  readonly state: 'recorded' | 'left out' | 'phase' | 'none';
  /** Kind of the patch point; absent: it has none. */
  readonly site?: SiteKind;
  /** Why it has none, unless it was inlined: the rest of a sentence that its name begins. */
  readonly notRecorded?: string;
}

/** What is known of the program's functions. */
export interface KnownProgram {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Keys of functions that can be switched, and of those that stay recorded. */
  readonly switchable: ReadonlySet<string>;
  readonly phases: ReadonlySet<string>;
  readonly whyNotRecorded?: ((key: string) => string | undefined) | undefined;
}

/** Those of the program itself, and those of libraries that can be recorded. */
export function liveFunctions(
  { graph, sites, switchable, phases, whyNotRecorded }: KnownProgram,
  isRecorded: (key: string) => boolean,
): readonly LiveFunction[] {
  return graph.functions.flatMap((f): readonly LiveFunction[] => {
    const { key, name, hasBody, isSystem } = f;
    const canBe = switchable.has(key);
    if (!canBe && (!hasBody || isSystem)) return [];
    const notRecorded = canBe ? undefined : whyNotRecorded?.(key);
    const { mangledName, file, line, endLine } = f;
    const state = phases.has(key) ? 'phase' : !canBe ? 'none' : isRecorded(key) ? 'recorded' : 'left out';
    const site = sites.get(key);
    return [{ key, name, ...present({ mangledName, file, line, endLine, site, notRecorded }), state }];
  });
}

/** @throws KymoError `write-failed`, `disk-full`, `results-linked` */
export async function writeLiveFunctions(folder: string, functions: readonly LiveFunction[]): Promise<void> {
  await writeFileAtomically(
    path.join(folder, liveFunctionsFileName),
    JSON.stringify({ kymoLiveFunctions: 1, functions }),
  );
}

/** Undefined if there are none, or they are damaged. */
export async function readLiveFunctions(folder: string): Promise<readonly LiveFunction[] | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(path.join(folder, liveFunctionsFileName)));
    return written.describes(value) ? value.functions : undefined;
  } catch {
    return undefined;
  }
}

const text = { type: 'string', maxLength: 1 << 16 } as const;
const line = { type: 'integer', minimum: 0 } as const;

const written = new JsonSchema<{ readonly functions: readonly LiveFunction[] }>({
  type: 'object',
  properties: {
    kymoLiveFunctions: { type: 'number', const: 1 },
    functions: {
      type: 'array',
      maxItems: 2_000_000,
      items: {
        type: 'object',
        properties: {
          key: text,
          name: text,
          mangledName: text,
          file: text,
          line,
          endLine: line,
          state: { type: 'string', enum: ['recorded', 'left out', 'phase', 'none'] },
          site: { type: 'string', enum: ['probe', 'entry'] },
          notRecorded: text,
        },
        required: ['key', 'name', 'state'],
      },
    },
  },
  required: ['kymoLiveFunctions', 'functions'],
});

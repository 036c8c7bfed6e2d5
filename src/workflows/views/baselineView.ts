import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DifferenceOfSides } from '../../core/gate/differences';
import type { GateReport } from '../../core/gate/report';
import type { Verdict } from '../../core/gate/verdict';
import { present } from '../../core/present';
import type { ProgressSink } from '../../core/progress';
import { baselineHead } from '../../formats/kymo-baseline/baselineHead';
import { gateText } from '../../formats/gate-exports';
import { gateProperties } from '../../formats/gate-exports/properties';
import { loadConfig, selectTarget } from '../../measurement/config/loadConfig';
import { isRound } from '../../measurement/experiments/studies';
import { gateMeasured } from '../gate';
import { Places, type SourcesHere } from '../studies/places';
import type { FoundProperty } from './dynamicsInSource';

/** A target of the `kymo.json` in a folder. */
interface OfTarget {
  /** Absolute. */
  readonly workspace: string;
  readonly target: string;
}

/** What a target may be compared with. */
export interface BaselineFiles {
  /** What `kymo.json` names, if it is there: a file or the folder of a measurement; absolute. */
  readonly configured?: string;
  /** What `kymo.json` names that is no file: a git revision, or a file that is not there yet. */
  readonly absent?: string;
  /** Baseline files of the target in the workspace and the folders directly below it; absolute, in alphabetical order. */
  readonly found: readonly string[];
}

/** Looking at more files would take long in a folder of data. */
const mostLookedAt = 1000;

/** The baseline that `kymo.json` names, and the files that `kymo gate --save` wrote. */
export async function baselineFiles({ workspace, target }: OfTarget): Promise<BaselineFiles> {
  const { gate } = selectTarget((await loadConfig(workspace)).config, target);
  const named = gate.baseline === undefined ? undefined : path.resolve(workspace, gate.baseline);
  const isThere = named !== undefined && (await stat(named).catch(() => undefined)) !== undefined;
  const below = (await readdir(workspace, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  );
  const folders = [workspace, ...below.map(({ name }) => path.join(workspace, name))];
  const files = (await Promise.all(folders.map(jsonFiles))).flat().sort().slice(0, mostLookedAt);
  const found: string[] = [];
  for (const file of files) {
    const head = file === named ? undefined : await headOf(file);
    if (head !== undefined && (head.target ?? target) === target) found.push(file);
  }
  return { ...(isThere ? { configured: named } : present({ absent: gate.baseline })), found };
}

async function jsonFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith('.json'))
    .map(({ name }) => path.join(folder, name));
}

const headBytes = 4096;

async function headOf(file: string): Promise<ReturnType<typeof baselineHead>> {
  const handle = await open(file).catch(() => undefined);
  try {
    const read = await handle?.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return read && baselineHead(read.buffer.toString('utf8', 0, read.bytesRead));
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** A measurement and the baseline that it is compared with. */
export interface GatedFiles extends OfTarget {
  /** A baseline file, or the folder of a measurement; absolute. */
  readonly baseline: string;
  /** Folder of a study or a round; absolute. */
  readonly candidate: string;
  /** What may differ between both. */
  readonly allow?: readonly DifferenceOfSides[];
}

/** The verdict of a gate, with its findings where the sources are on this machine. */
export interface JudgedBaseline {
  readonly verdict: Verdict;
  readonly sentence: string;
  /** Why both cannot be compared; then the verdict is `cannot-tell`. */
  readonly incomparable: readonly string[];
  /** What may be allowed so that both are compared all the same. */
  readonly allowable: readonly DifferenceOfSides[];
  /** What changed or cannot be told, the worst first: a sentence each. */
  readonly changes: readonly string[];
  /** That of `changes` which explains the verdict best: of a function, if there is one. */
  readonly worst?: string;
  /** The verdict as `kymo gate --out` writes it. */
  readonly markdown: string;
  readonly properties: readonly FoundProperty[];
  readonly missingSources: readonly string[];
  /** Of the candidate: it has the lines of its sources. */
  readonly studyDirectory: string;
}

/**
 * Judges a measurement by a baseline, as `kymo gate` does. Builds and runs nothing.
 * @throws KymoError `baseline-invalid`, `baseline-newer`, and the errors of reading
 */
export async function judgeBaseline(
  {
    workspace,
    target: name,
    baseline,
    candidate,
    allow = [],
    sources,
  }: GatedFiles & { readonly sources: SourcesHere },
  context: { readonly signal: AbortSignal; readonly progress: ProgressSink },
): Promise<JudgedBaseline> {
  const target = selectTarget((await loadConfig(workspace)).config, name);
  const names = [path.relative(workspace, baseline), path.relative(workspace, candidate)] as const;
  const report = await gateMeasured(
    target,
    { baseline, candidate, names },
    { allow, minimumChange: target.gate.minimumChange, ...context },
  );
  const places = new Places(sources);
  const properties: FoundProperty[] = [];
  for (const { region, ...property } of gateProperties(report))
    properties.push({
      ...property,
      ...present({ region: region && (await places.inFile(region)) }),
    });
  return {
    ...{ verdict: report.verdict, sentence: report.sentence, incomparable: report.incomparable },
    allowable: report.allowable,
    changes: changesOf(report),
    ...present({ worst: worstOf(report) }),
    markdown: gateText(report, '.md', workspace) ?? '',
    ...{ properties, missingSources: places.missing },
    studyDirectory: isRound(path.basename(candidate)) ? path.dirname(candidate) : candidate,
  };
}

/** More are in the page of the verdict. */
const mostChanges = 20;

function changesOf({ entries }: GateReport): readonly string[] {
  return entries
    .filter(({ verdict }) => verdict !== 'no-change')
    .slice(0, mostChanges)
    .map(({ sentence }) => sentence);
}

function worstOf({ entries, verdict }: GateReport): string | undefined {
  const decisive = entries.filter((entry) => entry.verdict === verdict && verdict !== 'no-change');
  return (decisive.find(({ name }) => name !== undefined) ?? decisive[0])?.sentence;
}

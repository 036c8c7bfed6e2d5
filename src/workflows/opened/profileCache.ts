import path from 'node:path';
import { KymoError } from '../../core/errors';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { requireOwn } from '../../measurement/files/ownFiles';
import { present } from '../../core/present';
import { coarsened, type CommunicationMatrix } from '../../core/communication/communicationMatrix';
import { iterationsIn } from '../../core/series/profileIterations';
import { foldIterations } from '../../core/profile/foldIterations';
import type { Profile, Region } from '../../core/profile/profile';
import type { PropertyInput } from '../../core/problems/context/makeContext';
import { keysAmong } from '../../core/callgraph/regionKeys';
import { readWhole } from '../../formats/cube4/read';
import {
  communicationFileName,
  parseCommunication,
} from '../../formats/kymo-communication/communicationFile';
import { profileIdentity, RecentResults } from './recentResults';
import type { FunctionRow } from '../../core/functions/functionRow';
import { countIn, areRanges, positionsIn, type ProcessRanges } from '../../core/views/ranks/processRanges';
import { panelProfile, type PanelProfile, type WholePanel } from './panelProfile';
import { turn, type Cancellable } from '../running/turn';
import { asMeasured, profileOrigin, type ProfileOrigin } from '../studies/profileOrigin';

/** A profile that a viewer requests in pieces. */
export interface CachedProfile extends Omit<ProfileOrigin, 'functions'> {
  /** Changes with the file. */
  readonly id: string;
  readonly file: string;
  readonly profile: Profile;
  readonly reportOf: (region: Region) => FunctionRow | undefined;
  /** The profile as input of the analyses. */
  readonly input: PropertyInput;
  /** The profile for the hot-spot panel, computed on first use. */
  readonly panel: () => WholePanel;
  /** The same of some of its processes, or of all. @throws KymoError `no-such-process` */
  readonly panelOf: (processes: ProcessRanges | undefined) => PanelProfile;
  /** Absent where nothing recorded it. */
  readonly communication?: CommunicationMatrix;
}

/** Maximum number of cached profiles: two to compare, and the previous one. */
const mostProfiles = 3;

/** Maximum number of entries of a communication matrix that is sent to a viewer, a few dozen megabytes. */
const mostCommunicationEntries = 1_000_000;

const recent = new RecentResults<CachedProfile>(mostProfiles);

/**
 * The profile in a file, parsed once while the file does not change.
 * @param id id of the expected profile; any other content is an error (`profile-changed`)
 * @throws KymoError `profile-missing`, `profile-changed`, and the errors of `readCube`
 */
export async function cachedProfile(
  file: string,
  id?: string,
  context: Cancellable = {},
): Promise<CachedProfile> {
  requireOwn(file);
  const now = await profileIdentity(file);
  if (id !== undefined && id !== now)
    throw new KymoError('profile-changed', `${file} has changed since it was opened. It is read again.`, {
      file,
    });
  const key = `${file}\n${now}`;
  return recent.get(key, (shared) => parse(file, now, shared), context);
}

async function parse(file: string, id: string, context: Required<Cancellable>): Promise<CachedProfile> {
  const communication = communicationBeside(file);
  await turn(context);
  const read = readProfile(file);
  await turn(context);
  // If a function is the phase, its visits are in its iterations; these have a view of their own.
  const profile = read.attributes.has('kymo::selection') ? foldIterations(read) : read;
  const origin = await profileOrigin(file, profile);
  await turn(context);
  const phase = read.regions[iterationsIn(read)?.phase ?? -1]?.name;
  const input = { ...asMeasured(profile, origin), ...present({ phase }) };
  let whole: WholePanel | undefined;
  const panel = (): WholePanel => (whole ??= panelProfile(input));
  return {
    id,
    file,
    profile,
    ...origin,
    reportOf: reportsAmong(origin.functions),
    input,
    panel,
    panelOf: partsOf(panel, file),
    ...(communication === undefined
      ? {}
      : { communication: coarsened(communication, mostCommunicationEntries) }),
  };
}

/** Piece by piece: the bytes of a large file would take as much memory as its values, at the same time. */
function readProfile(file: string): Profile {
  const opened = openProfileFile(file);
  try {
    return readWhole(opened.source, file);
  } finally {
    opened.close();
  }
}

/** Remembers the processes that were chosen last: all questions of a panel are of the same ones. */
function partsOf(panel: () => WholePanel, file: string): CachedProfile['panelOf'] {
  let last: { readonly key: string; readonly panel: PanelProfile } | undefined;
  return (processes) => {
    const { profile, of } = panel();
    if (processes === undefined) return panel();
    const all = profile.locations.length;
    if (!areRanges(processes, all))
      throw new KymoError('no-such-process', 'The profile does not have the chosen processes.', { file });
    if (countIn(processes) === all) return panel();
    const key = processes.join();
    if (last?.key !== key) last = { key, panel: of(positionsIn(processes)) };
    return last.panel;
  };
}

/** Bytes of the largest file of messages that is read: tens of millions of pairs. */
const mostCommunicationBytes = 1 << 29;

/** Who sent how much to whom, of an experiment that recorded it. A damaged file must not hide the profile. */
function communicationBeside(profile: string): CommunicationMatrix | undefined {
  const file = path.join(path.dirname(profile), communicationFileName);
  if (path.basename(profile) !== 'profile.cubex') return undefined;
  try {
    const opened = openProfileFile(file);
    try {
      const { size } = opened.source;
      if (size > mostCommunicationBytes) return undefined;
      return parseCommunication(Buffer.from(opened.source.read(0, size)).toString('utf8'), file);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof KymoError) return undefined;
    throw error;
  }
}

/** Finds the study's row for the function of a region. */
function reportsAmong(functions: readonly FunctionRow[]): CachedProfile['reportOf'] {
  const byKey = new Map(functions.map((row) => [row.key, row]));
  const keyOf = keysAmong({ functions });
  return (region) => byKey.get(keyOf(region));
}

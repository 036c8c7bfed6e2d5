import path from 'node:path';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { SiteKind } from '../../../core/cost/pairCost';
import { writeFileAtomically } from '../../../measurement/files/disk';
import { readOwnFile } from '../../../measurement/files/ownFiles';
import type { ProgramOfProcesses } from '../../../measurement/results/mergeProcesses';

/** Beside the sockets of a run, in a folder that its hosts share: what agents that search have to know of the program. */
const fileName = 'program.json';

/** The program that agents search in. */
export interface AgentProgram {
  readonly program: ProgramOfProcesses & { readonly graph: CallGraph };
  readonly sites: ReadonlyMap<string, SiteKind>;
}

/** @param folder with the sockets */
export async function writeProgram(folder: string, { program, sites }: AgentProgram): Promise<void> {
  const { slots, instances, samples, graph, executable, selectionId } = program;
  const written = { slots, instances, samples, graph, executable, selectionId };
  await writeFileAtomically(
    path.join(folder, fileName),
    JSON.stringify({ program: written, sites: [...sites] }),
  );
}

/** @throws whatever reading or parsing it does */
export async function readProgram(folder: string): Promise<AgentProgram> {
  const { program, sites } = JSON.parse(await readOwnFile(path.join(folder, fileName))) as {
    readonly program: AgentProgram['program'];
    readonly sites: readonly (readonly [string, SiteKind])[];
  };
  // JSON has null where the lists have nothing.
  const { instances, samples } = program;
  const some = <Element>(list: readonly Element[] | undefined) => list?.map((one) => one ?? undefined);
  return {
    program: {
      ...program,
      ...(instances && { instances: some(instances) ?? [] }),
      ...(samples && { samples: some(samples) ?? [] }),
    },
    sites: new Map(sites),
  };
}

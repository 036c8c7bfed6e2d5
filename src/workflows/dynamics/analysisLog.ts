import { present } from '../../core/present';
import { createHash } from 'node:crypto';
import { arch, hostname, release, type } from 'node:os';
import { version } from '../../../package.json';
import type { DynamicsOptions } from '../../core/degradations/model/options';
import type { ByteSource } from '../../formats/byteSource';
import { headCommit } from '../../measurement/experiments/gitState';
import type { AnalysedInput, AnalysisLog, DynamicsRequest } from './dynamics.types';
import type { OpenedInput } from './openInput';

const hashedAtOnce = 1 << 20;

/**
 * The log that allows repeating a report. It does not depend on the time of the analysis.
 * @param folder folder whose repository's commit is recorded if no experiment has the measured one. No program of the folder is started,
 * because viewing a profile requires no trust.
 */
export async function analysisLog(
  inputs: readonly OpenedInput[],
  made: {
    readonly request: DynamicsRequest;
    readonly options: DynamicsOptions;
    readonly rules?: { readonly file: string; readonly sha256: string };
  },
  folder: string,
): Promise<AnalysisLog> {
  const { request, options, rules } = made;
  const experiment = inputs.find((input) => input.experiment !== undefined)?.experiment;
  const commit = experiment === undefined ? await headCommit(folder) : undefined;
  const source = commit === undefined ? experiment?.git : { commit };
  const { callPaths = false, inclusive = false, phase } = request;
  return {
    tool: { name: 'kymo', version },
    inputs: inputs.map(describe),
    settings: {
      options,
      callPaths,
      inclusive,
      ...present({ phase, rules }),
    },
    ...(source === undefined ? {} : { source }),
    environment:
      experiment === undefined
        ? {
            host: hostname(),
            system: `${type()} ${release()} ${arch()}`,
            node: process.versions.node,
          }
        : {
            host: experiment.host,
            compiler: experiment.compiler,
            buildId: experiment.buildId,
            startedAt: experiment.startedAt,
            command: experiment.command.join(' '),
            ranks: String(experiment.ranks),
            ...experiment.parameters,
          },
  };
}

function describe({ file, kind, bytes }: OpenedInput): AnalysedInput {
  return { file, kind, bytes: bytes.size, sha256: sha256Of(bytes) };
}

export function sha256Of(bytes: ByteSource): string {
  const hash = createHash('sha256');
  for (let offset = 0; offset < bytes.size; offset += hashedAtOnce)
    hash.update(bytes.read(offset, hashedAtOnce));
  return hash.digest('hex');
}

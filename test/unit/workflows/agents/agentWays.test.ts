import { describe, expect, it } from 'vitest';
import { agentWays } from '../../../../src/workflows/agents/agentWays';

const run = { executable: process.execPath, environment: {}, job: undefined };
const hosts = ['n1', 'n2'];

describe('agents come to other hosts', () => {
  it('by a step of the job that the program is in', async () => {
    const launcher = { kind: 'slurm' } as never;
    expect(await agentWays(hosts, { ...run, launcher, job: '7' })).toEqual([
      { kind: 'srun', job: '7', hosts },
    ]);
  });

  it('by ssh where nothing but a name is known, each on its own', async () => {
    const launcher = { kind: 'local' } as const;
    const each = hosts.map((host) => ({ kind: 'ssh', hosts: [host] }));
    expect(await agentWays(hosts, { ...run, launcher })).toEqual(each);
  });
});

import { LayoutError, quoted } from './layoutError';
import { checkProcesses, longestName, longestText, mostProcesses } from './limits';
import type { Layout } from './layout';
import { rankProcesses, type UnrankedProcess } from './rankProcesses';
import type { Shape } from './shape';
import type { Source } from './tokens';

/** A host and the number of processes of the network that it may hold. */
export interface HostSlots {
  readonly host: string;
  readonly slots: number;
}

/**
 * Where processes run. Inner processes should not share a host with the program (they would slow down its slowest process), so they may
 * have a list of their own; the front end takes the first slot of that list, or runs on a host of its own, which needs no slot.
 */
export type Hosts =
  | { readonly kind: 'shared'; readonly hosts: readonly HostSlots[]; readonly frontEnd?: string }
  | {
      readonly kind: 'separate';
      readonly backEnds: readonly HostSlots[];
      readonly inner: readonly HostSlots[];
      readonly frontEnd?: string;
    };

/**
 * Puts the processes of a tree on hosts, level by level, each host's slots in one go: siblings are neighbours.
 *
 * @throws LayoutError `slots-run-out`, `too-large`
 */
export function placeOnHosts(shape: Shape, hosts: Hosts): Layout {
  checkProcesses(shape.length);
  const backEnds = shape.filter(({ children }, position) => isBackEnd(children, position)).length;
  const inner = shape.length - backEnds - (hosts.frontEnd === undefined ? 0 : 1);
  const forInner =
    hosts.kind === 'separate'
      ? slotsOf(hosts.inner, inner, 'the front end and inner processes')
      : slotsOf(hosts.hosts, shape.length - (hosts.frontEnd === undefined ? 0 : 1), 'processes');
  const forBackEnds = hosts.kind === 'separate' ? slotsOf(hosts.backEnds, backEnds, 'back ends') : forInner;
  const used = new Map<string, number>();
  const processes = shape.map(({ children }, position): UnrankedProcess => {
    const host =
      position === 0 && hosts.frontEnd !== undefined
        ? hosts.frontEnd
        : (isBackEnd(children, position) ? forBackEnds : forInner)();
    const index = used.get(host) ?? 0;
    used.set(host, index + 1);
    return { host, index, children };
  });
  return rankProcesses(processes, 0);
}

function isBackEnd(children: readonly number[], position: number): boolean {
  return children.length === 0 && position > 0;
}

/** Hands out the slots of hosts in order. */
function slotsOf(hosts: readonly HostSlots[], needed: number, what: string): () => string {
  const slots = hosts.reduce((sum, host) => sum + host.slots, 0);
  if (slots < needed)
    throw new LayoutError(
      'slots-run-out',
      `The tree needs ${needed} slots for ${what}, and the ${hosts.length} hosts of the list have ${slots}. Add hosts or slots, or choose a smaller tree.`,
    );
  let next = 0;
  let taken = 0;
  return () => {
    for (let host = hosts[next]; host !== undefined; host = hosts[++next]) {
      if (taken++ < host.slots) return host.host;
      taken = 0;
    }
    throw new LayoutError('slots-run-out', `The hosts of the list have no slot left for ${what}.`);
  };
}

/**
 * Reads a list of hosts: a line `host` (one slot) or `host:slots` each, with comments from `#`. A host that is listed again has the slots of
 * both lines.
 *
 * @throws LayoutError `bad-syntax` with line and column, `too-large`
 */
export function parseHosts({ text, file }: Source): readonly HostSlots[] {
  if (text.length > longestText)
    throw new LayoutError('too-large', `The list of hosts is longer than ${longestText} characters.`);
  return text.split('\n').flatMap((line, position) => {
    const content = line.replace(/#.*$/su, '').trim();
    if (content === '') return [];
    const [, host = '', slots = '1'] = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?::(\d{1,6}))?$/u.exec(content) ?? [];
    if (host === '' || host.length > longestName || Number(slots) > mostProcesses)
      throw new LayoutError('bad-syntax', `Expected "host" or "host:slots", and found ${quoted(content)}.`, {
        ...(file === undefined ? {} : { file }),
        line: position + 1,
        column: line.indexOf(content) + 1,
      });
    return [{ host, slots: Number(slots) }];
  });
}

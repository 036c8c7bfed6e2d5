import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { KeyTable } from '../../../../src/core/trace/keyTable';
import { TraceBuilder } from '../../../../src/core/trace/build/traceBuilder';
import type { CallTrace } from '../../../../src/core/trace/callTrace';

/** A statement of a random program: so many calls of a function, or so many messages; with its own number. */
interface Statement {
  readonly name: string;
  times: number;
  readonly message?: { readonly kind: 'send' | 'receive' | 'collective'; partner?: number; bytes: number };
  readonly body: Statement[];
}

/** What was planted: the kind, and the call path of it. */
export interface Planted {
  readonly kind: string;
  readonly path: string;
}

export interface PlantedPair {
  readonly traces: readonly [CallTrace, CallTrace];
  readonly planted: readonly Planted[];
}

const ranks = 16;
const rank = 5;

/**
 * Traces of a random program and of a changed copy of it.
 * @param changes how many changes; 0: two runs of one program
 * @param noise relative, of the time and the instructions of each visit
 */
export function plantedPair(seed: number, table: KeyTable, changes: number, noise: number): PlantedPair {
  const random = randomNumbers(seed);
  const draw = (below: number): number => Math.floor(random() * below);
  let names = 0;
  const make = (depth: number): Statement => {
    // Utilities are called from many places.
    if (depth >= 3 && draw(3) === 0) return { name: `util${draw(4)}`, times: 1 + draw(3), body: [] };
    const own: Statement = {
      name: `f${++names}_${'abcdefghij'.charAt(draw(10)).repeat(3)}`,
      times: 1 + draw(3),
      body: [],
    };
    const callees = depth >= 4 ? 0 : draw(4);
    for (let callee = 0; callee < callees; callee++) {
      const next = make(depth + 1);
      if (own.body.every(({ name }) => name !== next.name)) own.body.push(next);
    }
    if (draw(3) === 0) own.body.push(...messages());
    return own;
  };
  const messages = (): readonly Statement[] => {
    const kind = (['send', 'receive', 'collective'] as const)[draw(3)] ?? 'send';
    const bytes = 8 * (1 + draw(1000));
    if (kind === 'collective') return [{ name: 'allreduce', times: 1, message: { kind, bytes }, body: [] }];
    return [...new Set([1 + draw(3), 4 + draw(3)])].map((distance) => ({
      name: kind,
      times: 1,
      message: { kind, partner: (rank + distance) % ranks, bytes },
      body: [],
    }));
  };
  const main: Statement = { name: 'main', times: 1, body: [{ name: 'loop', times: 1, body: [] }] };
  main.body[0]?.body.push(...Array.from({ length: 3 }, () => make(1)));
  main.body.unshift(make(2));
  // Time steps: a loop that is called again and again.
  const loop = main.body.find(({ name }) => name === 'loop');
  if (loop !== undefined) loop.times = 20;
  const before = run(main, table, random, noise);
  const planted = plant(main, changes, draw, seed);
  return { traces: [before, run(main, table, random, noise)], planted };
}

interface Place {
  readonly own: Statement;
  readonly path: readonly string[];
}

/** Changes different subtrees: what is changed, is below and above no other change. */
function plant(
  main: Statement,
  changes: number,
  draw: (below: number) => number,
  seed: number,
): readonly Planted[] {
  const planted: Planted[] = [];
  const taken: (readonly string[])[] = [];
  for (let attempt = 0; attempt < 400 && planted.length < changes; attempt++) {
    const places: Place[] = [];
    const visit = (own: Statement, path: readonly string[]): void => {
      places.push({ own, path });
      for (const callee of own.body) if (callee.message === undefined) visit(callee, [...path, callee.name]);
    };
    visit(main, ['main']);
    const place = places[draw(places.length)];
    if (
      place === undefined ||
      taken.some((other) => isWithin(other, place.path) || isWithin(place.path, other))
    )
      continue;
    const kind = kinds[(seed + planted.length) % kinds.length];
    const found = kind?.(place, draw, planted.length);
    if (found === undefined) continue;
    planted.push(found);
    taken.push(place.path);
  }
  return planted;
}

function isWithin(path: readonly string[], other: readonly string[]): boolean {
  return path.every((name, at) => other[at] === name);
}

type Plant = (place: Place, draw: (below: number) => number, number: number) => Planted | undefined;

const added: Plant = ({ own, path }, draw, number) => {
  const name = `new${number}`;
  own.body.splice(draw(own.body.length + 1), 0, { name, times: 1 + draw(3), body: [] });
  return { kind: 'added-work', path: [...path, name].join('/') };
};

const removed: Plant = ({ own, path }, draw) => {
  const calls = own.body.filter(({ message }) => message === undefined);
  const gone = calls[draw(calls.length)];
  if (gone === undefined || gone.name === 'loop') return undefined;
  own.body.splice(own.body.indexOf(gone), 1);
  return { kind: 'removed-work', path: [...path, gone.name].join('/') };
};

const repeated: Plant = ({ own, path }, draw) => {
  if (path.length < 2) return undefined;
  own.times += 1 + draw(2);
  return { kind: 'changed-count', path: path.join('/') };
};

const grown: Plant = ({ own, path }, draw) => {
  const messages = own.body.filter(({ message }) => message !== undefined);
  const one = messages[draw(messages.length)];
  if (one?.message === undefined) return undefined;
  one.message.bytes *= 2;
  return { kind: 'changed-message-size', path: path.join('/') };
};

const rotated: Plant = ({ own, path }) => {
  const messages = own.body.filter(({ message }) => message?.partner !== undefined);
  if (messages.length === 0) return undefined;
  for (const { message } of messages)
    if (message?.partner !== undefined) message.partner = (message.partner + 1) % ranks;
  return { kind: 'changed-partners', path: path.join('/') };
};

const reordered: Plant = ({ own, path }, draw) => {
  const calls = own.body.filter(({ message }) => message === undefined);
  const [first, second] = [calls[0], calls.at(-1)];
  if (calls.length < 2 || first === undefined || second === undefined || draw(1) === 1) return undefined;
  const [a, b] = [own.body.indexOf(first), own.body.indexOf(second)];
  own.body[a] = second;
  own.body[b] = first;
  return { kind: 'changed-order', path: path.join('/') };
};

const kinds: readonly Plant[] = [added, removed, repeated, grown, rotated, reordered];

function run(main: Statement, table: KeyTable, random: () => number, noise: number): CallTrace {
  const builder = new TraceBuilder(table, { counters: ['instructions'] });
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const call = ({ name, times, message, body }: Statement): void => {
    for (let time = 0; time < times; time++) {
      if (message !== undefined) {
        const { kind, partner, bytes } = message;
        const key = table.message({ kind, call: name, ...(partner === undefined ? {} : { partner }) });
        builder.message(key, bytes, 0);
        continue;
      }
      builder.enter(table.context(name, { name, file: '/src/program.c' }));
      for (const callee of body) call(callee);
      const work = 1 + (name.charCodeAt(1) % 7);
      builder.leave(work * 1e-3 * (1 + noise * normal()), [Math.round(work * 1e6 * (1 + noise * normal()))]);
    }
  };
  call(main);
  return builder.finish({ name: 'run', rank, ranks, sizeUnit: 'bytes' });
}

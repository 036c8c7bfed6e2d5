/** One iteration of Sweep3D on 2×6 processes, as the worked example of the specification prints it for ranks 1 and 2: `[line, last line, calls, seconds, inclusive share]`. */
const printed = {
  1: {
    source: [0.01528, 0.889],
    sweep: [1.50463, 98.828],
    octant: [0.00012, 0],
    receives: [0.67697, 0.024],
    sends: [0.21291, 0.01],
    sums: [0.18991, 0.001],
    errors: [0.00405, 0.283],
    maximum: [0.02339, 0],
  },
  2: {
    source: [0.01527, 0.89],
    sweep: [1.55163, 98.825],
    octant: [0.0001, 0],
    receives: [0.64003, 0.037],
    sends: [0.29338, 0.015],
    sums: [0.09949, 0.001],
    errors: [0.00826, 0.284],
    maximum: [0.00944, 0.001],
  },
} as const;

/** By half of the octants: `[from or to, elements]`. */
const messages = {
  1: [
    { from: [[3, 750]], to: [[0, 510]] },
    { to: [[3, 750]], from: [[0, 510]] },
  ],
  2: [
    {
      from: [
        [3, 510],
        [4, 750],
      ],
      to: [[0, 750]],
    },
    {
      from: [[0, 750]],
      to: [
        [4, 750],
        [3, 510],
      ],
    },
  ],
} as const;

/** The trace in text form; shares of instructions are numbers of a hundred thousand of them. @param folder of the sources */
export function sweep3d(rank: 1 | 2, folder = '/sweep3d'): string {
  const own = printed[rank];
  const lines = [
    `#mvtrace 1\trank=${rank}\tnranks=12`,
    ...['source.f', 'sweep.f', 'octant.f', 'mpi_stuff.f', 'flux_err.f'].map(
      (name, file) => `F\t${file + 1}\t${folder}/${name}`,
    ),
    'I\t1',
  ];
  const share = ([, percent]: readonly [number, number]): number => Math.round(percent * 1000);
  const exit = (file: number, line: number, seconds: number, instructions: number): void => {
    lines.push(`X\t${file}\t${line}\t${seconds}\t${instructions}`);
  };
  const calls = { receives: 0, sends: 0 };
  const wrapper = (what: 'receives' | 'sends', partner: number, elements: number): void => {
    const total = rank === 1 ? 80 : 120;
    const [first, last] = what === 'receives' ? [85, 102] : [73, 83];
    const before = Math.floor((calls[what] * share(own[what])) / total);
    calls[what]++;
    const after = Math.floor((calls[what] * share(own[what])) / total);
    lines.push(`E\t4\t${first}`);
    lines.push(
      what === 'receives'
        ? `M\tMPI_RECV\t${partner}\t${rank}\t${elements}\tdouble\t0`
        : `M\tMPI_SEND\t${rank}\t${partner}\t${elements}\tdouble\t0`,
    );
    exit(4, last, own[what][0] / total, after - before);
  };
  const reduce = (file: number, line: number, last: number, own: readonly [number, number]): void => {
    lines.push(`E\t${file}\t${line}`, 'M\tMPI_ALLREDUCE\t-\t-\t1\tdouble\t1');
    exit(file, last, own[0], share(own));
  };
  lines.push('E\t1\t2');
  exit(1, 47, own.source[0], share(own.source));
  lines.push('E\t2\t2');
  for (let octant = 0; octant < 8; octant++) {
    lines.push('E\t3\t1');
    exit(3, 114, own.octant[0] / 8, 0);
    const half: Readonly<Record<string, readonly (readonly [number, number])[]>> =
      messages[rank][octant < 4 ? 0 : 1];
    for (let block = 0; block < 10; block++)
      for (const [name, list] of Object.entries(half))
        for (const [partner, elements] of list)
          wrapper(name === 'from' ? 'receives' : 'sends', partner, elements);
  }
  exit(2, 625, own.sweep[0], share(own.sweep) - share(own.octant) - share(own.receives) - share(own.sends));
  reduce(4, 187, 200, own.sums);
  lines.push('E\t5\t2');
  reduce(4, 161, 172, own.maximum);
  exit(5, 36, own.errors[0], share(own.errors) - share(own.maximum));
  return `${lines.join('\n')}\n`;
}

// One iteration of Sweep3D as ranks 1 and 2 of 2 × 6 processes see it: the worked example of the specification, smaller in what it says of time.

/** By half of the octants: what is received and sent, as `[partner, elements]`. */
const messages = {
  1: [
    { from: [[3, 750]], to: [[0, 510]] },
    { from: [[0, 510]], to: [[3, 750]] },
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
};

/** A call-graph trace in text form. @param folder of the sources */
export function sweep3d(rank, folder) {
  const files = ['source.f', 'sweep.f', 'octant.f', 'mpi_stuff.f', 'flux_err.f'];
  const lines = [
    `#mvtrace 1\trank=${rank}\tnranks=12`,
    ...files.map((name, file) => `F\t${file + 1}\t${folder}/${name}`),
  ];
  const call = (file, [first, last], instructions, inside = () => undefined) => {
    lines.push(`E\t${file}\t${first}`);
    inside();
    lines.push(`X\t${file}\t${last}\t0.001\t${instructions}`);
  };
  const message = (name, from, to, count) =>
    lines.push(`M\t${name}\t${from}\t${to}\t${count}\tdouble\t${name === 'MPI_ALLREDUCE' ? 1 : 0}`);
  const reduce = (place) => call(4, place, 1, () => message('MPI_ALLREDUCE', '-', '-', 1));
  call(1, [2, 47], 889);
  call(2, [2, 625], 98_828, () => {
    for (let octant = 0; octant < 8; octant++) {
      call(3, [1, 114], 0);
      const { from, to } = messages[rank][octant < 4 ? 0 : 1];
      for (let block = 0; block < 10; block++) {
        for (const [partner, count] of from)
          call(4, [85, 102], 1, () => message('MPI_RECV', partner, rank, count));
        for (const [partner, count] of to)
          call(4, [73, 83], 1, () => message('MPI_SEND', rank, partner, count));
      }
    }
  });
  reduce([187, 200]);
  call(5, [2, 36], 283, () => reduce([161, 172]));
  return `${lines.join('\n')}\n`;
}

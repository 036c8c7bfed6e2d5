// The corpus: programs that nobody here wrote, from Debian's sources, of different kinds. `kymo init` runs in `folder` of the
// unpacked package after `prepare` (shell: what has to be done before anybody can build it here); `target` is the one of its
// targets that is taken, with the workload in `run` (`together`: it writes files, and may run twice at a time all the same). `edit` is what of that target a user has to correct, and `why` what init missed.
import {
  formula,
  image,
  javaScript,
  luaScript,
  points,
  sequences,
  sqlScript,
  text,
  write,
} from './workloads.mjs';

/** Debian's own changes need its build tools. */
const withoutPatches = (root) =>
  `tac ${root}/debian/patches/series | while read -r p; do patch -s -R -p1 -d ${root} <${root}/debian/patches/$p; done`;

/** What Autotools have generated counts as newer than what Debian has changed: it is not generated again, which needs Automake. */
const withoutAutotools =
  'touch aclocal.m4 && touch configure && find . -name "*.hin" -o -name config.h.in -o -name Makefile.in | xargs touch';

export const programs = [
  {
    name: 'bzip2',
    kind: 'C, make; shared library',
    target: 'bzip2',
    inputs: (tree, part) => write(tree, 'words', text(part * 12e6)),
    // The build links to the library in its own folder by a name that the system's library has, too.
    run: { arguments: ['-9', '-c', 'words'], environment: { LD_LIBRARY_PATH: '.' }, together: true },
  },
  {
    name: 'gzip',
    kind: 'C, Autotools',
    prepare: withoutAutotools,
    target: 'gzip',
    inputs: (tree, part) => write(tree, 'words', text(part * 24e6)),
    run: { arguments: ['-9', '-c', 'words'], together: true },
  },
  {
    name: 'xz',
    threads: 2,
    package: 'xz-utils',
    kind: 'C, CMake; thread pool',
    target: 'xz',
    inputs: (tree) => write(tree, 'words', text(6e6)),
    run: { arguments: ['-k', '-f', '-T2', '--block-size=1MiB', '-4', 'words'] },
  },
  {
    name: 'zstd',
    threads: 2,
    package: 'libzstd',
    folder: 'programs',
    kind: 'C, make; thread pool',
    target: 'zstd',
    inputs: (tree) => write(tree, 'words', text(10e6)),
    run: { arguments: ['-k', '-f', '-T2', '-14', '-B1MiB', 'words'] },
  },
  {
    name: 'minisat2',
    kind: 'C++, make; solver, static',
    target: 'minisat',
    inputs: (tree, part) => write(tree, 'random.cnf', formula(part < 1 ? 250 : 270)),
    run: { arguments: ['-verb=0', 'random.cnf'], successStatuses: [10, 20] },
  },
  {
    name: 'lua',
    package: 'lua5.4',
    folder: 'src',
    kind: 'C, make; interpreter, longjmp',
    prepare: withoutPatches('..'),
    target: 'lua',
    inputs: (tree) => write(tree, 'work.lua', luaScript),
    run: { arguments: ['work.lua'] },
  },
  {
    name: 'mujs',
    kind: 'C, make; interpreter, longjmp',
    target: 'mujs',
    inputs: (tree) => write(tree, 'work.js', javaScript),
    run: { arguments: ['work.js'] },
  },
  {
    name: 'sqlite3',
    kind: 'C, autoconf; one large file, plug-in',
    target: 'sqlite3',
    why: 'build (the plug-in)',
    edit: {
      build: {
        command:
          'mkdir -p build-kymo && cd build-kymo && (test -f Makefile || ../configure CC=${cc} --disable-shared) && make -j2 sqlite3 && ${cc} -O2 -g -fPIC -shared -I. ../ext/misc/regexp.c -o regexp.so',
        clean: 'rm -rf build-kymo',
      },
      executable: 'build-kymo/sqlite3',
    },
    inputs: (tree) => write(tree, 'work.sql', sqlScript),
    run: { arguments: [':memory:'], input: 'work.sql', together: true },
  },
  {
    name: 'metis',
    kind: 'C, CMake; static library',
    target: 'gpmetis',
    run: { arguments: ['-ncuts=30', 'graphs/mdual.graph', '8'], together: true },
  },
  {
    name: 'qhull',
    kind: 'C, CMake; longjmp',
    target: 'qconvex',
    inputs: (tree) => write(tree, 'points', points(60_000, 5)),
    run: { arguments: ['s', 'TI', 'points'] },
  },
  {
    name: 'jpeg',
    package: 'libjpeg-turbo',
    kind: 'C, CMake; static library',
    target: 'cjpeg-static',
    inputs: (tree) => write(tree, 'image.ppm', image(4000, 3000)),
    run: {
      arguments: ['-quality', '90', '-optimize', '-progressive', '-outfile', 'image.jpg', 'image.ppm'],
      together: true,
    },
  },
  {
    name: 'fasttree',
    threads: 2,
    kind: 'C, make; single file, OpenMP',
    target: 'fasttreeMP',
    why: 'optimisation',
    edit: {
      build: { command: 'make CC=${cc} CFLAGS=-O3 fasttreeMP', clean: 'rm -f fasttreeMP' },
    },
    inputs: (tree) => write(tree, 'sequences', sequences(160, 400)),
    run: {
      arguments: ['-nt', '-quiet', 'sequences'],
      environment: { OMP_NUM_THREADS: '2', OMP_WAIT_POLICY: 'passive' },
    },
  },
  {
    name: 'tetgen',
    kind: 'C++, CMake; exceptions',
    target: 'tetgen',
    run: { arguments: ['-pq1.2a0.0004', 'example.poly'], together: true },
  },
  {
    name: 'jsonnet',
    kind: 'C++, CMake; interpreter, exceptions',
    target: 'jsonnet',
    run: { arguments: ['benchmarks/bench.04.jsonnet'] },
  },
  {
    name: 'lapack',
    kind: 'Fortran, make',
    target: 'xlintstd',
    prepare: 'cp INSTALL/make.inc.gfortran make.inc',
    why: 'build (one program of very many)',
    edit: {
      executable: 'TESTING/LIN/xlintstd',
      build: {
        command: ['BLAS/SRC', 'SRC', 'TESTING/MATGEN', 'TESTING/LIN']
          .map((folder) => `make -s -j2 -C ${folder} FC=\${fc} double`)
          .join(' && '),
        clean: 'make -s clean',
      },
    },
    run: { arguments: [], input: 'TESTING/dtest.in' },
  },
];

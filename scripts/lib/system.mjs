// Installs what a fresh Debian or Ubuntu machine lacks, and prints what to install elsewhere.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Program → Debian package that brings it. */
const packages = {
  cc: 'gcc',
  'c++': 'g++',
  gfortran: 'gfortran',
  make: 'make',
  'clang-19': 'clang-19',
  chromium: 'chromium',
  mpicc: 'libopenmpi-dev',
  mpirun: 'openmpi-bin',
  'mpicc.mpich': 'libmpich-dev',
  'mpirun.mpich': 'mpich',
  'aarch64-linux-gnu-gcc': 'gcc-aarch64-linux-gnu',
  'aarch64-linux-gnu-g++': 'g++-aarch64-linux-gnu',
  'qemu-aarch64': 'qemu-user',
  cmake: 'cmake',
  gdb: 'gdb',
  git: 'git',
  ip: 'iproute2',
  'dpkg-source': 'dpkg-dev',
};
/** Packages without a program in PATH, or whose program has several names: file → package. */
const files = {
  '/usr/aarch64-linux-gnu/lib/libc.so.6': 'libc6-dev-arm64-cross',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf': 'fonts-dejavu-core',
  '/usr/lib/llvm-19/lib/libomp.so': 'libomp-19-dev',
  '/usr/bin/mpirun.mpich': 'mpich',
  '/usr/bin/mpicc.mpich': 'libmpich-dev',
  '/usr/sbin/slurmctld': 'slurm-wlm',
  '/usr/sbin/munged': 'munge',
};

export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Runs a command with its output shown on stderr; returns whether it succeeded. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  return result.status === 0;
}

/** Makes `npm ci` unless node_modules is up to date with the lock file. */
export function ensureNodeModules() {
  const stamp = path.join(root, 'node_modules/.package-lock.json');
  const upToDate = existsSync(stamp) && installed(stamp) === installed(path.join(root, 'package-lock.json'));
  if (upToDate) return;
  console.error('Installing npm packages (npm ci) …');
  if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']))
    throw new Error('npm ci failed. Check that the npm registry can be reached, then run the command again.');
}

/** The installed versions that a lock file names, as one comparable text. */
function installed(lockFile) {
  const { packages: entries } = JSON.parse(readFileSync(lockFile, 'utf8'));
  return Object.entries(entries)
    .filter(([name, entry]) => name !== '' && !entry.optional)
    .map(([name, entry]) => `${name}@${entry.version}`)
    .sort()
    .join('\n');
}

/**
 * Makes sure that programs and files are there; with apt as root or through sudo, else returns what is missing.
 * @param {readonly string[]} wanted names of `packages` or paths of `files`
 * @returns {readonly string[]} packages that are still missing
 */
export function ensureSystem(wanted) {
  const lacking = () =>
    wanted.filter((name) => (name.startsWith('/') ? !existsSync(name) : which(name) === undefined));
  const names = [...new Set(lacking().map((name) => packages[name] ?? files[name] ?? name))];
  if (names.length === 0) return [];
  const sudo = process.getuid?.() === 0 ? [] : which('sudo') ? ['sudo', '-n'] : undefined;
  if (which('apt-get') && sudo) {
    const apt = (...args) => {
      const [command, ...rest] = [...sudo, 'apt-get', '-o', 'DPkg::Lock::Timeout=400', '-qq', ...args];
      return run(command, rest, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        stdio: ['ignore', 'ignore', 2],
      });
    };
    let size = installationSize(names);
    if (size === undefined) {
      console.error('Updating the package lists (apt-get update) …');
      apt('update');
      size = installationSize(names);
    }
    console.error(`Installing with apt-get: ${names.join(' ')} (${size ?? 'size unknown'}) …`);
    if (!apt('install', '-y', '--no-install-recommends', ...names))
      // Each by itself: a package that a release does not have must not prevent the others.
      for (const name of names) apt('install', '-y', '--no-install-recommends', name);
  }
  return [...new Set(lacking().map((name) => packages[name] ?? files[name] ?? name))];
}

/** What apt-get would download and unpack, in its own words; undefined where the lists do not have all packages. */
function installationSize(names) {
  // It prints the sizes only when it is about to ask; the answer is no.
  const { stdout } = spawnSync('apt-get', ['install', '--no-install-recommends', '--assume-no', ...names], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const download = /Need to get (?:[^/\n]*\/)?([\d.,]+ [kMG]?B) of archives/.exec(stdout ?? '')?.[1];
  const disk = /([\d.,]+ [kMG]?B) of additional disk space/.exec(stdout ?? '')?.[1];
  return download === undefined || disk === undefined
    ? undefined
    : `${download} to download, ${disk} on disk`;
}

/** What to type on other systems. */
export function installAdvice(names) {
  return `Missing: ${names.join(', ')}.
  Debian, Ubuntu:  sudo apt-get install ${names.join(' ')}
  Fedora, RHEL:    sudo dnf install gcc gcc-c++ gcc-gfortran make binutils
  openSUSE:        sudo zypper install gcc gcc-c++ gcc-fortran make binutils`;
}

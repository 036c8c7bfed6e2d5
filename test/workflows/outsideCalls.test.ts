import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { kymo } from '../refineProgram';

const built = existsSync(path.resolve(import.meta.dirname, '../../dist/wrapper.js'));

const program = `#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
static volatile double sink;
static void spin(int n) { for (int i = 0; i < n; i++) sink = sink + i; }
__attribute__((constructor)) static void prepare(void) { spin(3000); for (int i = 0; i < 3000000; i++) sink = sink + i; }
__attribute__((destructor)) static void drop(void) { for (int i = 0; i < 3000000; i++) sink = sink + i; }
static void on_signal(int s) { (void)s; for (int i = 0; i < 3000000; i++) sink = sink + i; }
static void *work(void *p) { for (int i = 0; i < 3000000; i++) sink = sink + i; return p; }
static double loop(double (*run)(int)) { double s = 0; for (int i = 0; i < 100; i++) s += run(i); return s; }
int main(void) {
  void *library = dlopen("./plug.so", RTLD_NOW);
  pthread_t thread;
  if (!library) return 1;
  signal(SIGUSR1, on_signal);
  pthread_create(&thread, 0, work, 0);
  raise(SIGUSR1);
  sink = loop((double (*)(int))dlsym(library, "plug_run"));
  return pthread_join(thread, 0);
}
`;
const plugin = `static double part(int n) { double s = 0; for (int i = 0; i < 50000; i++) s += i % (n + 1); return s; }
double plug_run(int n) { double s = part(n); for (int i = 0; i < 20000; i++) s += i % (n + 2); return s; }
`;

describe.skipIf(!built)('functions that no known call leads to', () => {
  const workspace = mkdtempSync(path.join(tmpdir(), 'kymo-outside-'));
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('of plug-ins, threads, handlers, constructors and destructors are found by running them', () => {
    writeFileSync(path.join(workspace, 'main.c'), program);
    writeFileSync(path.join(workspace, 'plug.c'), plugin);
    const command = '${cc} -O1 -fPIC -shared plug.c -o plug.so && ${cc} -O1 main.c -o host -ldl -pthread';
    const target = { name: 'host', build: { command }, executable: 'host', repetitions: 1 };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const result = kymo(['refine', '--iterations', '1', '--workspace', workspace]) as RefineResult;
    const seen = result.hotFunctions.filter(({ selected }) => selected).map(({ name }) => name);
    expect(seen).toEqual(
      expect.arrayContaining(['plug_run', 'part', 'loop', 'work', 'on_signal', 'prepare', 'drop']),
    );
  });
});

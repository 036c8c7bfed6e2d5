import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../processes';

const root = path.resolve(import.meta.dirname, '../..');
const cli = path.join(root, 'dist/cli.js');
const built = existsSync(cli);
let base: string;
const at = (...parts: readonly string[]): string => path.join(base, ...parts);

beforeAll(() => {
  if (!built) process.stderr.write('skipped: run "npm run build" first\n');
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'kymo assistant ü ')));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Consent = 'accept' | 'decline' | 'cancel';

interface Reply {
  readonly failed: boolean;
  readonly text: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** A client of the protocol, as assistants have one. */
interface Assistant {
  readonly client: Client;
  /** Process of the server. */
  readonly pid: number;
  /** What the user was asked. */
  readonly questions: readonly string[];
  readonly calls: readonly string[];
  call(
    name: string,
    given?: Record<string, unknown>,
    options?: Parameters<Client['callTool']>[2],
  ): Promise<Reply>;
}

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

/** @param consent what the user answers; undefined: the client cannot ask */
async function assistant(
  folder: string,
  consent?: Consent | (() => Consent),
  words: readonly string[] = [],
): Promise<Assistant> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', ...words],
    cwd: folder,
    env: { ...(process.env as Record<string, string>) },
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: consent === undefined ? {} : { elicitation: {} } },
  );
  // Whatever is no message of the protocol arrives here.
  const strangers: Error[] = [];
  client.onerror = (error) => void strangers.push(error);
  const questions: string[] = [];
  if (consent !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      const action = typeof consent === 'function' ? consent() : consent;
      return { action, ...(action === 'accept' ? { content: {} } : {}) };
    });
  await client.connect(transport);
  open.push(client);
  const calls: string[] = [];
  return {
    client,
    pid: transport.pid ?? 0,
    questions,
    calls,
    call: async (name, given = {}, options = { timeout: 300_000 }) => {
      calls.push(name);
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: given },
        undefined,
        options,
      );
      const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
      expect(strangers).toEqual([]);
      if (isError !== true) expect(JSON.parse(text)).toEqual(structuredContent);
      return {
        failed: isError === true,
        text,
        answer: (structuredContent ?? {}) as Readonly<Record<string, unknown>>,
      };
    },
  };
}

function kymo(...words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

/** The rows of a list in an answer. */
const rows = ({ answer }: Reply, name: string): readonly Record<string, unknown>[] =>
  answer[name] as readonly Record<string, unknown>[];

describe.skipIf(!built)('an assistant, of a bundled example that was made slower', () => {
  const laws = (): string => at('nbody', 'laws.h');
  beforeAll(() => {
    if (!built) return;
    cpSync(path.join(root, 'examples/nbody'), at('nbody'), {
      recursive: true,
      filter: (file) => !file.includes('.kymo'),
    });
    const measure = [
      'measure',
      '--workspace',
      at('nbody'),
      '--parameter',
      'bodies=300',
      '--repetitions',
      '5',
    ];
    kymo(...measure);
    const before = readFileSync(laws(), 'utf8');
    // The same force by 30 times the work, which no load of the machine hides; all other functions are as before.
    const after = before.replace(
      'return 1 / (distance2 * std::sqrt(distance2));',
      'double sum = 0; for (int i = 1; i <= 30; ++i) sum += 1 / (distance2 * std::sqrt(distance2 * i)); return sum / 9.58513;',
    );
    expect(after).not.toBe(before);
    writeFileSync(laws(), after);
    kymo(...measure);
    // Answers have the lines of today.
    writeFileSync(laws(), `// First.\n// Second.\n${after}`);
  });
  const lineOf = (text: string): number =>
    readFileSync(laws(), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;

  it('finds the hottest function and the line that became slower, and why it is recorded', async () => {
    const one = await assistant(at('nbody'));
    const hot = await one.call('hot_functions', { most: 3 });
    const [hottest = {}] = rows(hot, 'functions');
    expect(hottest).toMatchObject({ place: `laws.h:${lineOf('Vec pull(')}`, recorded: true });
    expect(hottest.function).toMatch(/pull.*Gravity/);
    expect(hottest.exclusivePercent).toBeGreaterThan(40);
    expect(hot.answer.percentOf).toMatch(/s (computing|run) time in run i0\.r/);
    expect(hot.answer).toMatchObject({ target: 'nbody' });
    const changed = await one.call('changes');
    const [slower = {}] = rows(changed, 'changes');
    expect(slower, changed.text).toMatchObject({ kind: 'slower', place: `laws.h:${lineOf('Vec pull(')}` });
    expect(slower.function).toMatch(/pull.*Gravity/);
    const why = await one.call('findings', { file: 'laws.h', line: lineOf('Vec sum;') });
    expect(
      rows(why, 'functions')
        .map((row) => String(row.function))
        .join(),
    ).toMatch(/pull.*Gravity/);
    expect(rows(why, 'functions')[0]?.why).toMatch(/./);
    expect(rows(why, 'findings').map(({ kind }) => kind)).toContain('hot-spot');
    expect(one.calls.length).toBeLessThanOrEqual(6);
    for (const { text } of [hot, changed, why]) expect(text.length).toBeLessThan(12_000);
  });

  it('lists results with their age, and reads one of them by its name', async () => {
    const one = await assistant(at('nbody'));
    const list = await one.call('list_results');
    const results = rows(list, 'results');
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({ kind: 'measurement', target: 'nbody', state: 'complete', runs: 5 });
    expect(results[0]?.age).toMatch(/ ago$/);
    expect(list.answer.targets).toEqual([{ name: 'nbody', parameters: { bodies: [1500] }, phase: 'step' }]);
    const [newest, older] = results.map(({ result }) => String(result));
    const hot = await one.call('hot_functions', { result: older });
    expect(hot.answer.result).toBe(older);
    const back = await one.call('changes', { before: newest, after: older });
    expect(rows(back, 'changes')[0]).toMatchObject({ kind: 'faster' });
    const ofRound = await one.call('hot_functions', { result: `${newest ?? ''}/i0`, most: 1 });
    expect(rows(ofRound, 'functions')).toHaveLength(1);
    const reasons = await one.call('diagnosis');
    expect(
      rows(reasons, 'findings')
        .map(({ function: name }) => String(name))
        .join(),
    ).toMatch(/pull.*Gravity/);
    expect(rows(reasons, 'findings').every(({ advice }) => typeof advice === 'string')).toBe(true);
    expect((await one.call('dynamics')).answer).toMatchObject({ iterations: 150 });
  });

  it('reads without starting anything, and states it', async () => {
    const { client } = await assistant(at('nbody'));
    const { tools } = await client.listTools();
    const reading = tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true)
      .map(({ name }) => name);
    expect(reading).toEqual([
      'hot_functions',
      'findings',
      'diagnosis',
      'dynamics',
      'changes',
      'scaling',
      'list_results',
    ]);
    expect(tools.map(({ name }) => name)).toEqual([...reading, 'refine', 'measure', 'study']);
    expect(client.getInstructions()).toMatch(/hot_functions/);
  });

  let one: Assistant;
  beforeAll(async () => {
    if (!built) return;
    symlinkSync('/etc', at('nbody', 'elsewhere'));
    mkdirSync(at('nbody', 'linked'));
    symlinkSync('/etc/passwd', at('nbody', 'linked', 'profile.cubex'));
    one = await assistant(at('nbody'));
    // It stays for all of them.
    open.pop();
  });
  afterAll(() => one.client.close());

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a path above', 'hot_functions', { result: '../../../etc' }, /outside of .*list_results/],
    ['an absolute path', 'hot_functions', { result: '/etc/passwd' }, /outside of/],
    ['a link to elsewhere', 'hot_functions', { result: 'elsewhere' }, /outside of/],
    ['a link below a folder', 'changes', { before: 'linked', after: 'linked' }, /outside of/],
    ['a link to search in', 'diagnosis', { result: 'linked' }, /outside of/],
    ['a link with iterations', 'dynamics', { result: 'linked/profile.cubex' }, /outside of/],
    ['a source elsewhere', 'findings', { file: '/etc/passwd', line: 1 }, /outside of/],
    [
      'nothing there',
      'findings',
      { result: '.kymo/nbody/refine-1' },
      /There is no “\.kymo\/nbody\/refine-1”.*list_results/,
    ],
    ['control characters', 'hot_functions', { result: 'a\u0000b\u001b[31m' }, /argument “result” must match/],
    ['a number beyond all bounds', 'hot_functions', { most: 1e308 }, /“most” must be (integer|<= 50)/],
    ['a text for a number', 'findings', { file: 'laws.h', line: '19' }, /“line” must be integer/],
    [
      'a name of a megabyte',
      'findings',
      { function: 'x'.repeat(1 << 20) },
      /“function” must NOT have more than 1000/,
    ],
    ['an unknown argument', 'changes', { 'be\u202efore': 'x' }, /no argument “be\ufffdfore”/],
    ['an unknown function', 'findings', { function: 'pul' }, /no function “pul”/],
    ['a file that was not measured', 'findings', { file: 'Makefile' }, /no function in Makefile/],
    [
      'a line in no function',
      'findings',
      { file: 'laws.h', line: 1 },
      /Line 1 of laws\.h is in no function .*pull/,
    ],
    ['a line without its file', 'findings', { line: 1 }, /give “file”/],
    ['an unknown target', 'hot_functions', { target: 'nbodyy' }, /no target "nbodyy"; did you mean "nbody"/],
    ['no study yet', 'scaling', {}, /no such result .*the tool study/],
    ['a file that is no profile', 'hot_functions', { result: 'Makefile' }, /./],
    ['an unknown tool', 'rm_rf', {}, /no tool “rm_rf”.*hot_functions/],
  ])('answers %s with an error that names what to do', async (_, name, given, message) => {
    const reply = await one.call(name, given);
    expect(reply.failed).toBe(true);
    expect(reply.text).toMatch(message);
    expect(reply.text.length).toBeLessThan(3000);
    expect(reply.text).not.toContain('root:');
    // The server goes on.
    expect((await one.call('list_results')).failed).toBe(false);
  });
});

const fixture = path.join(import.meta.dirname, 'fixtures/behaviour');

function program(name: string, words: readonly string[], target: Record<string, unknown> = {}): string {
  const folder = at(name);
  cpSync(fixture, folder, { recursive: true });
  const own = {
    name,
    build: { command: '${cc} -O2 -g program.c -o program && echo built' },
    executable: './program',
    run: { arguments: words, timeoutSeconds: 3600 },
    repetitions: 1,
    ...target,
  };
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [own] }));
  return folder;
}

describe.skipIf(!built)('building and running', () => {
  it('asks the user with all commands, and measures after a consent', async () => {
    const folder = program('consent', ['work', '${size}'], { parameters: { size: [200] } });
    const one = await assistant(folder, 'accept');
    const steps: Progress[] = [];
    const reply = await one.call(
      'measure',
      { parameters: { size: 300 } },
      { timeout: 300_000, onprogress: (step) => void steps.push(step) },
    );
    expect(reply.failed, reply.text).toBe(false);
    expect(one.questions).toHaveLength(1);
    expect(one.questions[0]).toContain('${cc} -O2 -g program.c -o program && echo built');
    expect(one.questions[0]).toContain('./program work ${size}');
    expect(one.questions[0]).toContain('parameters {"size":300}');
    expect(rows(reply, 'functions').length).toBeGreaterThan(0);
    expect(steps.map(({ message }) => message).join()).toMatch(/Building consent.*Run 1 of 1/);
    const values = steps.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect((await one.call('refine', { rounds: 1, repetitions: 1 })).answer).toMatchObject({
      rounds: 1,
      target: 'consent',
    });
    expect(one.questions).toHaveLength(2);
  });

  it.each<[string, Consent, RegExp]>([
    ['declines', 'decline', /The user declined: nothing was built or run/],
    ['dismisses the question', 'cancel', /dismissed the question/],
  ])('does nothing where the user %s', async (_, consent, message) => {
    const folder = program(`not-${consent}`, ['work', '10']);
    const one = await assistant(folder, consent);
    for (const name of ['refine', 'measure', 'study']) expect((await one.call(name)).text).toMatch(message);
    expect(existsSync(path.join(folder, 'program'))).toBe(false);
    expect(existsSync(path.join(folder, '.kymo'))).toBe(false);
  });

  it('does nothing where the client cannot ask, unless the server was started so', async () => {
    const folder = program('silent', ['work', '10']);
    const refused = await (await assistant(folder)).call('measure');
    expect(refused.failed).toBe(true);
    expect(refused.text).toMatch(/kymo mcp --allow-run/);
    expect(existsSync(path.join(folder, 'program'))).toBe(false);
    const allowed = await (await assistant(folder, undefined, ['--allow-run'])).call('measure');
    expect(allowed.failed, allowed.text).toBe(false);
  });

  it('does nothing where kymo.json changes while the user is asked', async () => {
    const folder = program('swapped', ['work', '10']);
    const one = await assistant(folder, () => {
      program('swapped', ['work', '11']);
      return 'accept';
    });
    expect((await one.call('measure')).text).toMatch(/kymo\.json was changed/);
    expect(existsSync(path.join(folder, 'program'))).toBe(false);
  });

  it('reports what is wrong: no kymo.json, unknown parameters, a build that fails', async () => {
    mkdirSync(at('empty'));
    const nothing = await assistant(at('empty'), 'accept');
    for (const name of ['measure', 'hot_functions', 'changes'])
      expect((await nothing.call(name)).text).toMatch(/no kymo\.json in .*kymo init/);
    expect((await nothing.call('list_results')).answer).toMatchObject({ targets: [], results: [] });
    const folder = program('broken', ['work']);
    writeFileSync(path.join(folder, 'program.c'), 'int main(void) {\n  return undeclared;\n}\n');
    const one = await assistant(folder, 'accept');
    expect((await one.call('measure', { parameters: { m: 1 } })).failed).toBe(true);
    const failed = await one.call('measure');
    expect(failed.text).toMatch(/undeclared/);
    expect(failed.text).toMatch(/program\.c:2/);
  });

  it('measures several sizes, and names how functions grow with them', async () => {
    const folder = program('sizes', ['work', '${size}'], { parameters: { size: [100] } });
    const one = await assistant(folder, 'accept');
    const studied = await one.call('study', { values: { size: [100, 200, 400, 800, 1600] } });
    expect(studied.failed, studied.text).toBe(false);
    expect(studied.answer).toMatchObject({
      points: { done: 5, failed: 0, remaining: 0 },
      parameters: ['size'],
    });
    const scaled = await one.call('scaling', { metric: 'visits', predict: { size: 100_000 } });
    const kernel = rows(scaled, 'models').find((row) => row.function === 'kernel');
    expect(kernel).toMatchObject({ growth: 'O(size)', place: 'program.c:10', measuredPoints: 5 });
    expect(scaled.answer.predictedFor).toBe('size = 100000');
    expect((await one.call('scaling', { predict: { sise: 1 } })).text).toMatch(
      /value of each parameter.*size=/,
    );
    expect(rows(await one.call('list_results'), 'results')[0]).toMatchObject({
      kind: 'study over parameters',
    });
  });

  it('answers what was asked before the input ended, and a line that is no JSON', () => {
    const folder = program('piped', []);
    const message = (id: number | undefined, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`;
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'pipe', version: '1' },
    };
    const input = [
      message(1, 'initialize', client),
      message(undefined, 'notifications/initialized', {}),
      '{ no JSON\n',
      message(2, 'tools/call', { name: 'list_results', arguments: {} }),
      message(3, 'tools/call', { name: 'hot_functions', arguments: {} }),
    ].join('');
    const { stdout, status } = spawnSync(process.execPath, [cli, 'mcp'], {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number | null; error?: { code: number } });
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, null]);
    expect(answers.find(({ id }) => id === null)?.error?.code).toBe(-32700);
  });

  it('ends all programs of a refinement that is cancelled, and when the client goes away', async () => {
    const folder = program('endless', ['hang']);
    const one = await assistant(folder, 'accept');
    const abort = new AbortController();
    const call = one.call('refine', {}, { timeout: 300_000, signal: abort.signal });
    await until(() => programs(folder).length > 0);
    expect((await one.call('measure')).text).toMatch(/earlier call/);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => programs(folder).length === 0);
    // The server goes on, and is free again.
    await until(async () => !(await one.call('measure', { ranks: 2 })).text.includes('earlier call'));
    const again = one.call('refine');
    again.catch(() => undefined);
    await until(() => programs(folder).length > 0);
    await one.client.close();
    await until(() => programs(folder).length === 0 && !isAlive(one.pid));
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('It did not become true within a minute.');
}

/** Processes of the measured program in this folder. */
function programs(folder: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('program hang') && line.includes(folder));
}

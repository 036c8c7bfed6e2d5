// Runs functions that the tests send, inside the extension host, and watches how long the host blocks.
const http = require('node:http');
const fs = require('node:fs');
const vscode = require('vscode');

const tickMilliseconds = 5;
/**
 * Longest turn of the event loop since it was set to 0: the wait beyond the timer, but at most what its thread ran of it (the machine may be busy). The timer
 * begins when it is set for the first time: it costs a tenth of a processor, and most windows do not measure.
 */
const blocked = {
  longest: 0,
  get milliseconds() {
    return this.longest;
  },
  set milliseconds(value) {
    watch();
    this.longest = value;
  },
};
let timer;

/** Milliseconds that this thread has run; of the whole process, workers included, where the kernel has no figure for the thread. */
function threadMilliseconds() {
  try {
    return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

function watch() {
  if (timer !== undefined) return;
  let last = performance.now();
  let ran = threadMilliseconds();
  timer = setInterval(() => {
    const now = performance.now();
    const runs = threadMilliseconds();
    blocked.longest = Math.max(blocked.longest, Math.min(now - last - tickMilliseconds, runs - ran));
    last = performance.now();
    ran = runs;
  }, tickMilliseconds);
}

exports.activate = (context) => {
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += piece));
    request.on('end', async () => {
      try {
        const { source, values } = JSON.parse(text);
        const value = await new Function('vscode', 'blocked', `return (${source})`)(
          vscode,
          blocked,
        )(...values);
        response.end(JSON.stringify({ value }));
      } catch (error) {
        response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const file = process.env.KYMO_TEST_PROBE;
    fs.writeFileSync(`${file}.new`, String(server.address().port));
    fs.renameSync(`${file}.new`, file);
  });
  context.subscriptions.push({ dispose: () => (clearInterval(timer), server.close()) });
};

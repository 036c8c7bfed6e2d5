import { runProcess, succeeded } from '../launch/process';

/** First line of `--version` of the C compiler that the build uses by default, the label of experiments. */
export async function compilerName(signal?: AbortSignal): Promise<string> {
  const compiler = process.env.KYMO_CC ?? process.env.CC ?? 'cc';
  const result = await runProcess(
    { argv: [compiler, '--version'] },
    { timeoutSeconds: 10, maximumOutputBytes: 4096, signal },
  );
  return succeeded(result) ? (result.stdout.split('\n')[0] ?? compiler) : compiler;
}

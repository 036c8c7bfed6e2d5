import { createProgram } from './program';

void createProgram()
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.stderr.write(`kymo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });

import { writeFileSync } from 'node:fs';

/** A random number generator that is the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const functions = 1000;

/**
 * Writes a trace in text form with so many calls and messages.
 * @param way `repetitive`: iterations of one program, every 100th of which differs; `random`: whatever is called in whatever order
 */
function write(file: string, way: string, entries: number, seed: number): void {
  const random = randomNumbers(seed);
  const draw = (below: number): number => Math.floor(random() * below);
  const lines = [
    '#mvtrace 1 rank=0 nranks=16',
    ...Array.from({ length: 100 }, (_, number) => `F ${number} /src/file${number}.f`),
  ];
  let left = entries;
  const call = (number: number, body: () => void): void => {
    left--;
    lines.push(`E ${number % 100} ${Math.floor(number / 100) * 10}`);
    body();
    lines.push(
      `X ${number % 100} ${Math.floor(number / 100) * 10 + 9} 0.000${1 + draw(9)} ${1000 + draw(20)}`,
    );
  };
  const message = (partner: number): void => {
    left--;
    lines.push(`M MPI_SEND 0 ${partner} 750 double 0`);
  };
  call(0, () => {
    if (way === 'repetitive')
      for (let iteration = 0; left > 0; iteration++)
        call(1, () => {
          for (let step = 2; step < 12; step++)
            call(step, () => {
              for (let inner = 0; inner < 5; inner++)
                call(100 + step, () => {
                  message(1 + (step % 4));
                });
              if (iteration % 100 === 99 && step === seed) call(500, () => undefined);
            });
        });
    else
      while (left > 0)
        call(1 + draw(functions - 1), () => {
          for (let callee = draw(6); callee > 0; callee--)
            if (draw(4) === 0) message(1 + draw(4));
            else
              call(1 + draw(functions - 1), () => {
                for (let inner = draw(3); inner > 0; inner--) call(1 + draw(functions - 1), () => undefined);
              });
        });
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const [file = '', way = '', entries = '0', seed = '1'] = process.argv.slice(2);
write(file, way, Number(entries), Number(seed));

/** Examples of each command: what is typed behind `kymo`, and what it does. Their options are checked by a test. */
export const examples: Readonly<Record<string, readonly (readonly [line: string, does: string])[]>> = {
  doctor: [
    ['doctor', 'what this machine has and lacks'],
    ['doctor --json', 'the same for scripts; status 1 when something that is needed is missing'],
  ],
  init: [
    ['init', 'asks the build system of this folder'],
    ['init --executable build/solver --launcher mpirun', 'names the program and how it starts'],
  ],
  refine: [
    ['refine', 'the first target of kymo.json'],
    ['refine -- mpirun -n 4 ./solver input.txt', 'a program as you run it, also without a kymo.json'],
    ['refine --overhead 2 --repetitions 5', 'a smaller overhead, judged by more runs'],
    ['refine --ranks 4 --fail-above 5', 'in CI: status 3 above 5 % of overhead'],
  ],
  accept: [
    ['accept', 'the last round of the newest refinement'],
    ['accept --iteration 1', 'an earlier round of it'],
  ],
  pin: [
    ['pin solve dot --in', 'records these from the next round on'],
    ['pin --undo', 'takes the last change back'],
  ],
  pins: [
    ['pins', 'what is pinned in or out'],
    ['pins --json', 'the same for scripts'],
  ],
  measure: [
    ['measure', 'records the accepted selection'],
    ['measure --filter my.filter --repetitions 5', 'records what a Score-P filter lets through'],
    ['measure --trace --trace-iterations 10-12', 'with a trace of three iterations'],
  ],
  run: [
    ['run', 'to be watched in another terminal or the editor'],
    ['run --ranks 8 --parameter n=400', 'with other processes and another input'],
  ],
  watch: [
    ['watch', 'follows the run that is under way'],
    ['watch --record "solve*"', 'records more functions from now on'],
  ],
  study: [
    ['study --values n=100,200,400 --repetitions 5', 'how functions grow with n'],
    ['study --ranks 1:8:*2', 'how they grow with the number of processes'],
  ],
  'profile show': [
    ['profile show .kymo/app/refine-1/i2', 'the functions that take longest'],
    ['profile show profile.cubex --top 50 --ranks', 'more of them, by rank'],
  ],
  'profile convert': [
    ['profile convert profile.cubex profile.csv', 'for a spreadsheet'],
    ['profile convert .kymo/app/refine-1/i2 out.cubex', 'for Cube'],
  ],
  callgraph: [
    ['callgraph compile_commands.json --output app.mcg', 'of a whole build'],
    ['callgraph main.c solver.c', 'of two sources'],
  ],
  properties: [
    ['properties .kymo/app/refine-1', 'what was found, the most severe first'],
    ['properties profile.cubex --fail-above 40', 'in CI: status 3 above 40 %'],
  ],
  efficiency: [
    ['efficiency .kymo/app/refine-1', 'the POP metrics of a study'],
    ['efficiency profile.cubex --functions 5', 'with fewer functions'],
  ],
  diagnose: [
    ['diagnose', 'in the program while it runs'],
    ['diagnose profile.cubex --threshold CPUBound=50% --tree', 'in a profile, with all experiments'],
  ],
  dynamics: [
    ['dynamics', 'the newest experiment of the target'],
    ['dynamics run.ndjson --fail-above 30', 'in CI: status 3 above 30 %'],
    ['dynamics profile.cubex --format markdown --out report.md', 'as a report'],
  ],
  gate: [
    ['gate --baseline origin/main', 'both built and measured by turns'],
    ['gate --baseline origin/main --out gate.sarif gate.xml', 'for CI'],
    ['gate --save baseline.json', 'a baseline to commit'],
  ],
  compare: [
    ['compare before.cubex after.cubex', 'what changed beyond the noise'],
    ['compare .kymo/app/refine-1 --iterations 10:90', 'two iterations of one run'],
  ],
  groups: [
    ['groups traces.otf2', 'which processes call the same'],
    ['groups profile.cubex --graph groups.svg', 'with a picture'],
  ],
  'trace show': [
    ['trace show traces.otf2', 'what is in a trace'],
    ['trace show traces.otf2 --events --from 1.5 --until 1.6', 'the events of a tenth of a second'],
  ],
  'trace convert': [
    ['trace convert traces.otf2 --to chrome', 'for Perfetto'],
    ['trace convert traces.otf2 --to csv --what messages --output messages.csv', 'the messages as a table'],
  ],
  model: [
    ['model .kymo/app/study-1', 'how times grow in a study'],
    ['model measurements.txt --predict p=1024', 'what a larger run would take'],
  ],
  select: [
    ['select --graph app.mcg --filter first.filter', 'before the first run'],
    ['select --graph app.mcg --profile profile.cubex --overhead 2', 'by what was measured'],
  ],
  report: [
    ['report', 'the newest study, as a file beside it'],
    ['report .kymo/app/refine-1 --out report.html', 'a refinement, to be sent to others'],
  ],
  'filter check': [
    ['filter check scorep.filter', 'errors and misleading rules; status 1 when there are errors'],
    ['filter check scorep.filter --names profile.cubex', 'also rules without effect on a program'],
  ],
  'filter match': [
    ['filter match scorep.filter --names profile.cubex', 'what a filter lets through'],
    ['filter match scorep.filter --names names.txt --when compile-time', 'for the compilers'],
  ],
  'filter convert': [
    ['filter convert functions.json scorep.filter', 'a selection of Kymo for Score-P'],
    ['filter convert scorep.filter capi.json', 'for CaPI'],
  ],
  'filter format': [
    ['filter format scorep.filter', 'prints it, one rule per line'],
    ['filter format scorep.filter --write', 'changes the file'],
  ],
  'filter diff': [
    ['filter diff old.filter new.filter', 'what only one of them lets through'],
    ['filter diff old.filter new.filter --names profile.cubex', 'among the functions of a program'],
  ],
  mcp: [
    ['mcp', 'for an assistant that is started in this folder'],
    ['mcp --workspace /home/me/solver', 'for another folder'],
  ],
  completion: [
    ['completion bash >> ~/.bash_completion', 'for all new bash shells'],
    ['completion fish > ~/.config/fish/completions/kymo.fish', 'for fish'],
  ],
};

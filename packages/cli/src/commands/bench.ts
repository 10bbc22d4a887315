// grus bench: the benchmarks. Each prints tables for people, or one JSON object with every prediction.
import type { Command } from 'commander';
import type {
  AblationFlags,
  AttackFlags,
  DryCostFlags,
  ExecutedFlags,
  FalseAlarmFlags,
  GpuFlags,
  GuardFlags,
  LatencyFlags,
  LiveFlags,
  LogsFlags,
  StartupFlags,
  TrainingFlags,
} from '../jobs/bench.js';
import type { AgentFlags, FleetFlags, ManyFlags, RehearsalFlags } from '../jobs/bench-pipelines.js';
import type { JunobenchFlags } from '../jobs/junobench.js';
import { strengths } from '../options/dry.js';
import { withModelOptions } from '../options/model.js';
import { choiceOption, countOption } from '../options/values.js';

export function registerBench(program: Command): void {
  const bench = program
    .command('bench')
    .summary('run the benchmarks')
    .description('Runs one of the benchmarks.');
  withModelOptions(
    bench
      .command('junobench')
      .summary('Names, contracts, recorded models and analysers on JunoBench.')
      .description(
        'Names, contracts, recorded models and analysers on the recorded JunoBench data. A model that you configure is ' +
          'asked by the methods live, live:code, live:-structural, live:-representation, live:-values and live:hybrid.',
      )
      .requiredOption('--data <dir>', 'folder of the benchmark')
      .option(
        '--methods <names>',
        'comma-separated methods, recorded:DIR among them (default: all that the folder holds data for)',
        list,
      )
      .option('--ablation', 'also ask the model without each category of runtime information')
      .option('--judge', 'also let the model judge the explanations, in both orders')
      .option('--estimate', 'only say what asking the model would cost')
      .option('--html <file>', 'also write one self-contained page with every prediction')
      .option('--live', 'make the pairs executable and judge them in real kernels, on synthetic data')
      .option('--recipes <dir>', 'with --live: folder of the recipes', 'packages/bench/junobench')
      .option('--only <cases>', 'with --live: comma-separated cases', list)
      .option(
        '--keep <file>',
        'with --live: keep what was executed in a file, and only run what is missing there',
      )
      .option(
        '--workers <n>',
        'with --live: kernels at the same time; times are only fair with 1',
        countOption('--workers'),
        1,
      )
      .option('--python <path>', 'with --live: interpreter for the kernels; also GRUS_PYTHON')
      .option('--json', 'answer in JSON on stdout'),
  ).action(async (flags: JunobenchFlags & ExecutedFlags & { live?: boolean }) => {
    if (flags.live) {
      const { benchExecuted } = await import('../jobs/bench.js');
      process.exitCode = await benchExecuted(flags);
      return;
    }
    const { benchJunobench } = await import('../jobs/junobench.js');
    process.exitCode = await benchJunobench(flags);
  });
  bench
    .command('live')
    .description('The ladder on crashing and repaired notebooks in real kernels.')
    .option('--data <dir>', 'folder of the pairs', 'pairs')
    .option('--methods <names>', 'comma-separated methods: contracts, dry-run, ladder', list)
    .option('--only <ids>', 'comma-separated ids of pairs', list)
    .option(
      '--workers <n>',
      'kernels at the same time; times are only fair with 1',
      countOption('--workers'),
      1,
    )
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: LiveFlags) => {
      const { benchLive } = await import('../jobs/bench.js');
      process.exitCode = await benchLive(flags);
    });
  bench
    .command('ablation')
    .description(
      'What would be lost without each group of the rules about libraries, on live pairs and on recorded facts.',
    )
    .option('--data <dir>', 'folder of the pairs', 'pairs')
    .option('--junobench <dir>', 'folder of JunoBench, to judge its recorded facts too')
    .option('--every <n>', 'judge every n-th pair only; 0 for none', countOption('--every', 0), 1)
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: AblationFlags) => {
      const { benchAblation } = await import('../jobs/bench.js');
      process.exitCode = await benchAblation(flags);
    });
  bench
    .command('gpu')
    .description(
      'The ladder on cells of kernels that use a GPU, each then really run. Needs a GPU that torch can use.',
    )
    .option('--data <dir>', 'folder of the scripts', 'packages/bench/gpu')
    .option('--only <names>', 'comma-separated names of scripts', list)
    .option('--skip <names>', 'comma-separated names of scripts to leave out', list)
    .option('--workers <n>', 'kernels at the same time; 1 for honest times', countOption('--workers'), 1)
    .option('--methods <names>', 'comma-separated: contracts, ladder; default both', list)
    .option('--pretended', 'without a GPU: kernels pretend to have one, and cells do what the scripts say')
    .option('--out <file>', 'also add one line of JSON for every verdict, as it comes')
    .option(
      '--endurance <n>',
      'instead: n checks in a row in one kernel, and what they leave behind',
      countOption('--endurance', 0),
      0,
    )
    .option('--python <path>', 'interpreter with torch and ipykernel; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: GpuFlags) => {
      const { benchGpu } = await import('../jobs/bench.js');
      process.exitCode = await benchGpu(flags);
    });
  bench
    .command('rehearsal')
    .description(
      'Crashes behind hours of training, and sound notebooks, each given to `grus check --rehearse`.',
    )
    .option('--data <dir>', 'folder of the notebooks', 'packages/bench/rehearsal')
    .option('--only <texts>', 'comma-separated parts of names', list)
    .option(
      '--verify',
      'first run each with few steps: does it crash where it says, and how long is the whole?',
    )
    .option(
      '--nbmake <seconds>',
      'also give the crashing ones to nbmake, with so many seconds for a cell; 0 for not',
      countOption('--nbmake', 0),
      0,
    )
    .option('--out <file>', 'also add one line of JSON for every notebook, as it is done')
    .option('--workers <n>', 'notebooks at the same time; 1 for honest times', countOption('--workers'), 1)
    .option('--python <path>', 'interpreter for the kernels, with nbmake for --nbmake; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: RehearsalFlags) => {
      const { benchRehearsal } = await import('../jobs/bench-pipelines.js');
      process.exitCode = await benchRehearsal(flags);
    });
  bench
    .command('many')
    .description(
      'Many small notebooks in one call of `grus check`: its memory, the kernels that are left, and the others beside one that hangs.',
    )
    .option('--count <n>', 'notebooks', countOption('--count'), 1_000)
    .option('--jobs <n>', 'kernels at once', countOption('--jobs'), 2)
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: ManyFlags) => {
      const { benchMany } = await import('../jobs/bench-pipelines.js');
      process.exitCode = await benchMany(flags);
    });
  bench
    .command('fleet')
    .description(
      'Recorded runs pushed to a real server: runs a second with one, two and four workers, memory, and how long its pages take.',
    )
    .option('--data <dir>', 'folder of recorded runs', 'scenarios/recorded')
    .option(
      '--runs <n>',
      'runs in all: a tenth in every round but the last, which brings the others',
      countOption('--runs'),
      500,
    )
    .option(
      '--workers <numbers>',
      'comma-separated numbers of workers, a round each',
      (text) => list(text).map(countOption('--workers')),
      [1, 2, 4],
    )
    .option(
      '--database <url>',
      'a PostgreSQL (default: the embedded one); it is filled, so give one for this',
    )
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: FleetFlags) => {
      const { benchFleet } = await import('../jobs/bench-pipelines.js');
      process.exitCode = await benchFleet(flags);
    });
  bench
    .command('agent')
    .description(
      'A scripted agent over live pairs through `grus mcp`: it asks about each cell before it runs it.',
    )
    .option('--data <dir>', 'folder of the pairs', 'pairs')
    .option('--every <n>', 'every n-th pair only', countOption('--every'), 1)
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: AgentFlags) => {
      const { benchAgent } = await import('../jobs/bench-pipelines.js');
      process.exitCode = await benchAgent(flags);
    });
  bench
    .command('guard')
    .description(
      'What the guard adds to a cell, and whether it says in nbclient what `grus check` says of the same cells.',
    )
    .option('--megabytes <sizes>', 'comma-separated sizes of kernels', list, ['10', '100', '1000', '4000'])
    .option('--cells <n>', 'cells in each; 0 measures no times', countOption('--cells', 0), 240)
    .option('--data <dir>', 'folder of live pairs', 'pairs')
    .option('--every <n>', 'compare every n-th pair; 0 for none', countOption('--every', 0), 0)
    .option('--workers <n>', 'notebooks compared at the same time', countOption('--workers'), 1)
    .option('--python <path>', 'interpreter with numpy, pandas, nbclient; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: GuardFlags) => {
      const { benchGuard } = await import('../jobs/bench.js');
      process.exitCode = await benchGuard(flags);
    });
  bench
    .command('training')
    .description('Every method of diagnosis on recorded training runs with known causes.')
    .option('--data <dir>', 'the scenarios, or a folder of runs with a labels.json', 'scenarios')
    .option(
      '--methods <names>',
      'comma-separated methods: rules, tree, decision-list, logistic, cart, forest, boosting, ebm, hybrid',
      list,
    )
    .option('--only <text>', 'only runs whose name contains this text')
    .option('--quick', 'accuracy alone: no leave-outs, ablations and warnings')
    .option(
      '--shipped',
      'judge with the models that come with Grus instead of cross-validating on these runs',
    )
    .option('--fresh <n>', 'train and judge a new draw of n recipes instead', countOption('--fresh'))
    .option('--seed <n>', 'seed of the draw (default: a new one each time)', countOption('--seed', 0))
    .option('--keep <dir>', 'keep the runs of the draw there; a draw that is there already is judged again')
    .option('--drawn <dir>', 'judge a draw that was made before, here or on another machine, instead')
    .option('--python <path>', 'interpreter with torch, for --fresh; also GRUS_PYTHON')
    .option('--html <file>', 'also write one self-contained page with the figures')
    .option('--summary <file>', 'also write the tables in Markdown')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: TrainingFlags) => {
      const { benchTraining } = await import('../jobs/bench.js');
      process.exitCode = await benchTraining(flags);
    });
  bench
    .command('logs')
    .description('The diagnosis of real logs with known causes, each judged as `grus diagnose FILE` would.')
    .requiredOption('--data <path>', 'a file of cases, one JSON object a line, or a folder with cases.jsonl')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: LogsFlags) => {
      const { benchLogs } = await import('../jobs/bench.js');
      process.exitCode = await benchLogs(flags);
    });
  bench
    .command('compare')
    .description(
      'Pairs of real runs with one planted change, or with another seed alone: is the change named first?',
    )
    .requiredOption('--data <dir>', 'folder of the pairs, with labels.json')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: LogsFlags) => {
      const { benchCompare } = await import('../jobs/bench.js');
      process.exitCode = await benchCompare(flags);
    });
  bench
    .command('false-alarms')
    .description("Every cell of the libraries' own examples, judged before it runs in a real kernel.")
    .option(
      '--packages <names>',
      'comma-separated distributions (default: all known that are installed)',
      list,
    )
    .option('--limit <n>', 'notebooks a package, evenly spread over its examples', countOption('--limit'))
    .option('--only <text>', 'only notebooks whose name contains this text')
    .option('--workers <n>', 'kernels at the same time', countOption('--workers'), 1)
    .option('--resume', 'keep the results of an interrupted run and run what is missing')
    .option(
      '--measured <file>',
      'write how many false alarms each check raised; a check without any leaves preview',
    )
    .option('--cache <dir>', 'folder for downloads, notebooks and results', '.grus/false-alarms')
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: FalseAlarmFlags) => {
      const { benchFalseAlarms } = await import('../jobs/bench.js');
      process.exitCode = await benchFalseAlarms(flags);
    });
  bench
    .command('attacks')
    .description(
      'Hostile cells under each isolation, as root and as an ordinary user; healthy cells that a copy could misjudge.',
    )
    .option('--only <kind>', 'only cells of this kind')
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: AttackFlags) => {
      const { benchAttacks } = await import('../jobs/bench.js');
      process.exitCode = await benchAttacks(flags);
    });
  bench
    .command('dry-run')
    .description(
      'Cost of a dry run on kernels of 10 MB, 1 GB and 4 GB under each isolation, beside a fresh kernel and replay.',
    )
    .option('--repeats <n>', 'dry runs per kernel and isolation', countOption('--repeats'), 20)
    .option(
      '--isolation <strength>',
      `only this isolation: ${strengths.join(', ')} (default: each that the machine offers)`,
      choiceOption('--isolation', strengths),
    )
    .option(
      '--endurance <n>',
      'dry runs in a row whose leftovers are counted',
      countOption('--endurance', 0),
      1_000,
    )
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: DryCostFlags) => {
      const { benchDryRun } = await import('../jobs/bench.js');
      process.exitCode = await benchDryRun(flags);
    });
  bench
    .command('latency')
    .description(
      'Added time of a check on kernels of 10 MB, 1 GB and 4 GB, beside pyright on the same cells.',
    )
    .option('--python <path>', 'interpreter for the kernels; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: LatencyFlags) => {
      const { benchLatency } = await import('../jobs/bench.js');
      process.exitCode = await benchLatency(flags);
    });
  bench
    .command('startup')
    .description(
      'Time of whole commands, grus diagnose among them, beside starting Node and importing TensorBoard.',
    )
    .option('--data <dir>', 'folder of run directories to diagnose', 'scenarios/recorded')
    .option('--rounds <n>', 'how often each command is started', countOption('--rounds'), 15)
    .option('--python <path>', 'interpreter that has TensorBoard; also GRUS_PYTHON')
    .option('--json', 'answer in JSON on stdout')
    .action(async (flags: StartupFlags) => {
      const { benchStartup } = await import('../jobs/bench.js');
      process.exitCode = await benchStartup(flags);
    });
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

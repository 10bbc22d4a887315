// What the names of files and folders say about which run they belong to: a folder "checkpoints" is part of a run, "exp-17" is a run.

const partFolder =
  /^(?:checkpoints?(?:[-_.]?\d+)?|ckpts?\b.*|best|last|final|epoch[-_=]?\d+.*|step[-_=]?\d+.*|global_step\d+|logs?|train(?:ing)?|val(?:id(?:ation)?)?|eval(?:uation)?|test(?:ing)?|dev|tensorboard|tb|tb_logs|csv_logs|lightning_logs|wandb|mlruns|events?|metrics|params|tags|artifacts?|files|outputs?|results?|media|plots|figures|images|samples|configs?|\.hydra|code|src|scripts|tmp|cache|data|profil\w*|debug|system|hparams|(?:local_?)?ranks?[-_]?\d*|workers?[-_]?\d*|(?:nodes?|hosts?|gpu|restart|replica|pod)[-_]?\d+|attempts?[-_]?\d*|std(?:out|err)|py-?spy|(?:grus-)?stacks|loss_.*|runs?)$/i;

/** A folder that holds one side of a run rather than a run. */
export function isPartFolder(name: string): boolean {
  return partFolder.test(name);
}

const compressed = /\.(?:gz|zst)$/i;
const consoleSuffix = /\.(?:log(?:\.\d+)?|out|err|txt|stdout|stderr|o\d+|e\d+)$/i;
const rowSuffix = /\.(?:jsonl|csv|tsv|ndjson)$/i;
const noLog =
  /^(?:readme|license|notes?|requirements|vocab|merges|classes|labels|index|manifest|environment|pip-freeze)\b/i;
const eventFile = /\.tfevents\.|\.wandb$|^(?:trainer_state|history|log_history)\.json$|\.(?:db|sqlite)$/i;

export function isConsoleFile(name: string): boolean {
  const bare = name.replace(compressed, '');
  return consoleSuffix.test(bare) && !noLog.test(bare);
}

/** A file that can carry a curve or an error, by its name. */
export function isTellingFile(name: string): boolean {
  const bare = name.replace(compressed, '');
  return isConsoleFile(name) || (rowSuffix.test(bare) && !noLog.test(bare)) || eventFile.test(bare);
}

export function isEventFile(name: string): boolean {
  return /\.tfevents\./.test(name);
}

/** Words that say which side of a run a file tells, not which run. */
const roles = new Set(
  `train training val valid validation eval evaluation test metrics metric console output out log logs std stdout stderr err error errors
  debug internal info warn warning nvidia smi gpu gpus gpustat monitor system sys dmesg kernel memory mem slurm sbatch launcher launch main master
  config args env pip git history progress results result loss losses scalars stats summary events trace report lr curve curves hardware exit
  sacct scheduler resource usage host watch per step steps epoch epochs iter iters iteration iterations batch batches episode episodes
  accuracy acc score scores reward rewards return returns grad grads gradient gradients norm norms curves timing timings throughput`.split(
    /\s+/,
  ),
);
const numberedRole =
  /^(?:rank|worker|node|host|gpu|proc|process|task|local|device|shard|part|attempt|restart|master|chief|replica|pod|trainer|pyspy|launcher)$/;

/** What is left of a file's name once suffixes, roles and ranks are off: files of one run share it. Empty for "train.log". */
export function stemOf(name: string): string {
  if (eventFile.test(name)) return '';
  const bare = name.replace(compressed, '').replace(/\.(?:o|e)(\d+)$/i, '-$1');
  const words = bare
    .replace(/(\.(?:log|out|err|txt|stdout|stderr|jsonl|ndjson|csv|tsv|json|ya?ml))(?:\.\d+)?$/i, '')
    .split(/[-_. ]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (numberedRole.test(word.replace(/\d+$/, ''))) {
      if (/^\d+$/.test(words[at + 1] ?? '')) at++;
    } else if (!roles.has(word)) kept.push(word);
  }
  return kept.join(' ');
}

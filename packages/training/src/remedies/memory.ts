// Remedies when a resource or the platform gave out.
import { act, avoid, knowsBf16, type RemedyEntry } from './define.js';

const half = (size: number | null): string =>
  size && size > 1 ? `${Math.ceil(size / 2)}` : 'a smaller value';

const smallerBatch = act(
  ({ batchSize, accumulation }) =>
    `Reduce the batch size from ${batchSize} to ${half(batchSize)} and double gradient accumulation${accumulation ? ` from ${accumulation} to ${accumulation * 2}` : ''}.`,
  'Activations grow with the batch; accumulation keeps the effective batch.',
  ({ batchSize }) => batchSize !== null && batchSize > 1,
);
const smallerBatchUnknown = act(
  'Reduce the batch size and make up for it by gradient accumulation.',
  'Activations grow with the batch.',
  ({ batchSize }) => batchSize === null,
);
const cannotShrink = avoid(
  'Reducing the batch size.',
  'It is 1 already: shorten sequences, use checkpointing or shard the model.',
  ({ batchSize }) => batchSize === 1,
);
const checkpointing = act(
  'Switch gradient checkpointing on.',
  'It trades a third more time for most of the activation memory.',
  ({ checkpointing: on }) => on !== true,
);
const bf16 = act(
  'Train in bf16.',
  'Half the activation memory, and the device computes in it.',
  (facts) => facts.precision === 'fp32' && knowsBf16(facts) !== false,
);
const notSegments = avoid(
  'Setting expandable_segments or max_split_size_mb.',
  'Nearly all reserved memory is in use: there are no holes to close.',
);
const emptyCache = avoid(
  'Calling torch.cuda.empty_cache().',
  'It returns unused blocks to the driver; what is in use stays in use.',
);

export const memoryRemedies = {
  gpu_capacity: [
    smallerBatch,
    smallerBatchUnknown,
    cannotShrink,
    checkpointing,
    bf16,
    notSegments,
    emptyCache,
  ],
  gpu_fragmentation: [
    act(
      'Set PYTORCH_ALLOC_CONF=expandable_segments:True (PYTORCH_CUDA_ALLOC_CONF before version 2.9).',
      'Segments that grow leave no holes between batches of different size.',
    ),
    act('Pad batches to a few fixed lengths.', 'Equal sizes reuse the same blocks.'),
    avoid('Buying a larger device or halving the batch.', 'There was enough memory; it was split.'),
  ],
  gpu_other_process: [
    act(
      'Look at nvidia-smi and end the other process, or choose another device by CUDA_VISIBLE_DEVICES.',
      'Memory in other hands cannot be tuned from here.',
    ),
    avoid('Reducing the batch size.', 'The run fits on a free device.'),
    emptyCache,
  ],
  gpu_leak: [
    act(
      'Look for tensors kept across steps: `total += loss` (use loss.item()), outputs appended to a list, hooks, histories.',
      'Each kept loss keeps its whole graph.',
    ),
    act(
      'Detach hidden states that are carried from batch to batch.',
      'Otherwise the graph grows with every batch.',
    ),
    avoid('Reducing the batch size.', 'It only delays the same end.'),
    emptyCache,
  ],
  gpu_long_batch: [
    act('Cap or bucket the length of samples.', 'The longest sample decides the memory of its batch.'),
    act(
      ({ sequenceLength }) => `Truncate to ${sequenceLength ?? 'a fixed number of'} tokens before collating.`,
      'A cap makes the memory of every batch predictable.',
    ),
    avoid('Reducing the batch size for the whole run.', 'All other batches fit.'),
  ],
  gpu_impossible_request: [
    act(
      'Print the shapes just before the failing line: look for an accidental outer product or an unbroken document.',
      'The request exceeds the whole device, so a shape is wrong.',
    ),
    avoid(
      'Reducing the batch size or checkpointing.',
      'Neither brings one request below the size of the device.',
    ),
    notSegments,
  ],
  gpu_eval_graph: [
    act(
      'Run evaluation under torch.no_grad() or torch.inference_mode(), and move predictions to the host batch by batch.',
      'Without it each evaluation batch keeps its graph.',
    ),
    act(
      'Give evaluation its own, smaller batch size.',
      'Generation and full logits need more than training per sample.',
    ),
    avoid('Reducing the training batch size.', 'Training steps fit.'),
  ],
  gpu_optimizer_state: [
    act(
      ({ optimizer }) =>
        `Replace ${optimizer ?? 'Adam'} by an 8-bit or factored optimizer (Adafactor, 8-bit AdamW), or shard its state (ZeRO, FSDP).`,
      "Adam's state takes eight bytes per parameter.",
    ),
    avoid('Reducing the batch size.', "The state's size depends on the parameters alone."),
  ],
  host_memory: [
    act(
      'Stream or memory-map the data set instead of loading it whole.',
      'Resident data is multiplied by every worker that touches it.',
    ),
    act(
      ({ workers }) =>
        `Reduce the data loader's workers${workers ? ` from ${workers} to ${Math.max(1, Math.floor(workers / 2))}` : ''}.`,
      'Each worker copies what it touches.',
      ({ workers }) => workers === null || workers > 0,
    ),
    act(
      'Ask the scheduler for more host memory.',
      'The kernel enforces the limit of the cgroup, not of the machine.',
    ),
    avoid('Reducing device memory use.', 'The host ran out, not the device.'),
  ],
  shared_memory: [
    act(
      'Enlarge /dev/shm (docker run --shm-size=8g, or an emptyDir of medium Memory).',
      'Containers give it 64 MiB.',
    ),
    act(
      "Or set torch.multiprocessing.set_sharing_strategy('file_system'), or num_workers=0.",
      'Both avoid shared memory segments.',
    ),
    avoid('Adding host memory.', 'The segment is limited separately.'),
  ],
  worker_death: [
    act('Run once with num_workers=0.', 'The error then shows in the main process with its own traceback.'),
    act(
      "Look for the kernel's out-of-memory record (dmesg, scheduler).",
      'Killed workers leave none themselves.',
    ),
    avoid('Raising the timeout of the loader.', 'The worker is gone, not slow.'),
  ],
  disk_full: [
    act(
      'Delete old checkpoints and keep only the last few (save_total_limit).',
      'A checkpoint with optimizer state is three times the model.',
    ),
    act(
      'Check that the last checkpoint is whole before resuming.',
      'The write that failed may have left half a file.',
    ),
  ],
  open_files: [
    act(
      "Set torch.multiprocessing.set_sharing_strategy('file_system') or raise `ulimit -n`.",
      'Each shared tensor holds a descriptor.',
    ),
  ],
  device_fault: [
    act(
      'Look for Xid and ECC records in dmesg and run the vendor diagnostics; move the job to another node.',
      'Faults of one device come back.',
    ),
    act(
      'Repeat with CUDA_LAUNCH_BLOCKING=1 or compute-sanitizer if only an illegal access is reported.',
      'A custom kernel can be at fault as well.',
    ),
    avoid('Changing hyperparameters.', 'They do not reach the hardware.'),
  ],
  terminated: [
    act(
      'Resume from the last checkpoint; find out who sent the signal (scheduler log, shell history).',
      'Nothing in the run failed.',
    ),
    avoid('Changing the training code or hyperparameters.', 'Nothing in the run failed.'),
  ],
  time_limit: [
    act(
      'Resume from the last checkpoint with a longer limit, or checkpoint before the limit on the signal the scheduler can send.',
      'The run was going well when time was up.',
    ),
    avoid('Changing the model or hyperparameters.', 'Nothing in the run failed.'),
  ],
  preempted: [
    act(
      'Resume from the last checkpoint; save more often and handle SIGTERM on preemptible machines.',
      'Preemption is part of the bargain.',
    ),
    avoid('Changing the model or hyperparameters.', 'Nothing in the run failed.'),
  ],
  hang: [
    act(
      'Dump the stacks while it hangs (py-spy dump --pid, or faulthandler.dump_traceback_later).',
      'A hang says where only while it lasts.',
    ),
    act('Check file systems and other ranks.', 'Waiting for either raises no error.'),
  ],
  slowdown: [
    act(
      'Compare data time with step time around the onset; look at temperature and clocks.',
      'A starving loader and a throttling device look alike from the loss.',
    ),
    act(
      'Look for lists or logs that grow with every step.',
      'Work that grows slows every step a little more.',
    ),
  ],
  restart_loop: [
    act(
      'Read the first crash before the first restart and turn restarts off until it is cured.',
      'The loop repeats one failure.',
    ),
  ],
  collective_timeout: [
    act(
      'Find the rank that did not arrive: the lowest sequence number, or the flight recorder dump.',
      'The ranks that report the time-out are those that waited.',
    ),
    act(
      'Look for branches or data that differ by rank, and for uneven shards.',
      'One rank that skips a collective stops all.',
    ),
    avoid('Only raising the timeout.', 'A rank that never arrives will not arrive later.'),
  ],
  missing_rank: [
    act(
      "Read the log of the rank that went away; check the launcher's address, port and world size.",
      'Survivors only see a closed connection.',
    ),
  ],
  straggler: [
    act(
      'Compare clocks, temperature and data time of the slow rank with the others; exchange the node.',
      'All ranks wait for the slowest.',
    ),
    avoid('Raising the batch size to amortise communication.', 'The slow rank gets slower with it.'),
  ],
} satisfies Record<string, readonly RemedyEntry[]>;

// Causes: the host, its storage, the scheduler, the other ranks.
import { inCategory } from './define.js';
import { act, avoid } from './remedy.js';

export const platform = inCategory('memory_hardware', {
  host_memory: {
    title: 'The host ran out of memory',
    group: 'host_memory',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    announced: 'memory',
    label:
      "the host's allocator refuses, `MemoryError`, a record of the out-of-memory killer, or host memory that grows and grows",
    apart: {
      terminated: 'a bare `Killed` and no trace of memory',
      shared_memory: 'the message speaks of `/dev/shm`',
      worker_death: 'only a worker went, and nothing says why',
    },
    remedies: [
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
  },
  shared_memory: {
    title: 'Shared memory is too small for the data loader',
    group: 'shared_memory',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: '`/dev/shm` is too small: a bus error in workers, or shared memory cannot be allocated',
    apart: {
      host_memory: 'the limit of the host or its cgroup was met',
    },
    remedies: [
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
  },
  worker_death: {
    title: 'A data loader worker was killed',
    group: 'host_memory',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: "a loader's worker was killed by a signal and nothing says why",
    apart: {
      host_memory: 'a record says that memory was the reason',
      code_error: 'the worker raised an exception: the label is that of the exception',
    },
    remedies: [
      act('Run once with num_workers=0.', 'The error then shows in the main process with its own traceback.'),
      act(
        "Look for the kernel's out-of-memory record (dmesg, scheduler).",
        'Killed workers leave none themselves.',
      ),
      avoid('Raising the timeout of the loader.', 'The worker is gone, not slow.'),
    ],
  },
  disk_full: {
    title: 'The disk is full',
    group: 'storage',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'no space left on the device, or a quota is used up',
    apart: {
      missing_data: 'the directory or file is not there at all',
    },
    remedies: [
      act(
        'Delete old checkpoints and keep only the last few (save_total_limit).',
        'A checkpoint with optimizer state is three times the model.',
      ),
      act(
        'Check that the last checkpoint is whole before resuming.',
        'The write that failed may have left half a file.',
      ),
    ],
  },
  storage_fault: {
    title: 'The storage of a host fails',
    group: 'storage',
    actor: 'operator',
    action: 'restart',
    effect: 'stops',
    label:
      'a file system answers with an error of its own: a handle that is stale, a disk or mount that cannot be read, one that became read-only',
    apart: {
      disk_full: 'there is no space left',
      missing_data: 'the file system answers that the file is not there',
    },
    remedies: [
      act(
        'Look at the mount on that host (`dmesg`, `mount`, `df`): mount it again, or leave the host out of the next start.',
        'The error comes from the file system, not from the program.',
      ),
      act(
        'Check the last checkpoint and the file in the message before resuming.',
        'What was being written may be half there.',
      ),
      avoid('Changing the code that reads the file.', 'The same read works on a healthy mount.'),
    ],
  },
  network: {
    title: 'A server could not be reached',
    group: 'communication',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label:
      'a download or a service cannot be reached: no route, no name, a refused or broken connection, a server that answers with an error of its own',
    apart: {
      missing_rank: 'it is another rank of the run that cannot be reached',
      missing_data: 'the server answered that what was asked for is not there',
    },
    remedies: [
      act(
        'Fetch models and data on a machine with a network, and name the local copy (HF_HUB_OFFLINE=1 keeps libraries from asking).',
        'Compute nodes often have no route outside.',
      ),
      act('Set the proxy of the cluster, or try again later.', 'The name or the server was out of reach.'),
    ],
  },
  open_files: {
    title: 'Too many files are open',
    group: 'storage',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: 'too many files are open',
    apart: {
      disk_full: 'space ran out, not descriptors',
    },
    remedies: [
      act(
        "Set torch.multiprocessing.set_sharing_strategy('file_system') or raise `ulimit -n`.",
        'Each shared tensor holds a descriptor.',
      ),
    ],
  },
  device_fault: {
    title: 'The device or its driver failed',
    group: 'device_fault',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: 'illegal access, ECC or Xid record, a device that was lost, a driver that failed',
    apart: {
      index_out_of_range: 'the device asserts that an index is out of bounds',
      gpu_capacity: 'the message speaks of memory',
    },
    remedies: [
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
  },
  terminated: {
    title: 'Somebody or something outside ended the run',
    group: 'outside_stop',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'a signal from outside ended the run: SIGTERM, SIGINT, SIGKILL, a cancelled job',
    apart: {
      time_limit: "the scheduler's notice names the limit",
      preempted: "the scheduler's notice names preemption",
      host_memory: 'a record of the out-of-memory killer, or host memory that was full',
      hang: 'no progress for long before the signal',
    },
    remedies: [
      act(
        'Resume from the last checkpoint; find out who sent the signal (scheduler log, shell history).',
        'Nothing in the run failed.',
      ),
      avoid('Changing the training code or hyperparameters.', 'Nothing in the run failed.'),
    ],
  },
  time_limit: {
    title: "The scheduler's time limit ended the run",
    group: 'outside_stop',
    actor: 'operator',
    action: 'restart',
    effect: 'stops',
    label: "the scheduler's notice names its time limit",
    apart: {
      terminated: 'no notice says why',
    },
    remedies: [
      act(
        'Resume from the last checkpoint with a longer limit, or checkpoint before the limit on the signal the scheduler can send.',
        'The run was going well when time was up.',
      ),
      avoid('Changing the model or hyperparameters.', 'Nothing in the run failed.'),
    ],
  },
  preempted: {
    title: 'The scheduler took the machine back',
    group: 'outside_stop',
    actor: 'operator',
    action: 'restart',
    effect: 'stops',
    label: "the scheduler's notice names preemption",
    apart: {
      terminated: 'no notice says why',
    },
    remedies: [
      act(
        'Resume from the last checkpoint; save more often and handle SIGTERM on preemptible machines.',
        'Preemption is part of the bargain.',
      ),
      avoid('Changing the model or hyperparameters.', 'Nothing in the run failed.'),
    ],
  },
  hang: {
    title: 'The run stopped making progress',
    group: 'pace',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'no progress for many times the usual step time, then stopped from outside or still standing',
    apart: {
      collective_timeout: "a collective's time-out fires",
      terminated: 'steps came at their usual pace until the signal',
    },
    remedies: [
      act(
        'Dump the stacks while it hangs (py-spy dump --pid, or faulthandler.dump_traceback_later).',
        'A hang says where only while it lasts.',
      ),
      act('Check file systems and other ranks.', 'Waiting for either raises no error.'),
    ],
  },
  slowdown: {
    title: 'Steps became much slower',
    group: 'pace',
    actor: 'operator',
    action: 'unknown',
    effect: 'spoils',
    label: 'steps become several times slower and stay so',
    apart: {
      straggler: 'one rank only is slower',
    },
    remedies: [
      act(
        'Compare data time with step time around the onset; look at temperature and clocks.',
        'A starving loader and a throttling device look alike from the loss.',
      ),
      act(
        'Look for lists or logs that grow with every step.',
        'Work that grows slows every step a little more.',
      ),
    ],
  },
  restart_loop: {
    title: 'The run keeps restarting',
    group: 'pace',
    actor: 'operator',
    action: 'unknown',
    effect: 'spoils',
    label: 'the same start again and again after failures of the machine',
    apart: {
      code_error: 'each start ends in the same exception: the label is that of the exception',
    },
    remedies: [
      act(
        'Read the first crash before the first restart and turn restarts off until it is cured.',
        'The loop repeats one failure.',
      ),
    ],
  },
  collective_timeout: {
    title: 'A collective operation timed out',
    group: 'communication',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'all ranks are alive, but they do not meet',
    apart: {
      missing_rank: 'a rank never came or went away',
      code_error: 'the ranks call different collectives, or one rank raised before',
    },
    remedies: [
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
  },
  missing_rank: {
    title: 'A rank never arrived or went away',
    group: 'communication',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'a rank never came, or went away without an exception',
    apart: {
      collective_timeout: 'all ranks are alive',
    },
    remedies: [
      act(
        "Read the log of the rank that went away; check the launcher's address, port and world size.",
        'Survivors only see a closed connection.',
      ),
    ],
  },
  straggler: {
    title: 'One rank is slower than the others',
    group: 'pace',
    actor: 'operator',
    action: 'unknown',
    effect: 'spoils',
    label: 'one rank needs several times longer for its own part of a step than the others, data aside',
    apart: {
      slowdown: 'all ranks are slower',
      slow_loader: 'the rank waits for its data',
      slow_link: 'collectives are slow for all ranks alike',
    },
    experiment:
      'Run some steps with one batch kept in memory, and exchange two ranks between their devices: a slowness that moves with the device is the device.',
    remedies: [
      act(
        'Compare clocks, temperature and data time of the slow rank with the others; exchange the node.',
        'All ranks wait for the slowest.',
      ),
      avoid('Raising the batch size to amortise communication.', 'The slow rank gets slower with it.'),
    ],
  },
});

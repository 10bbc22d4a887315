// Causes that only a run of several ranks has: one device, link, rank or replica among many.
import { inCategory } from './define.js';
import { act, avoid } from './remedy.js';

const rankHardware = inCategory('memory_hardware', {
  gpu_lost: {
    title: 'A GPU fell off the bus',
    group: 'device_fault',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: 'Xid 79, or a device that its driver has lost',
    apart: {
      gpu_memory_fault: 'the Xid tells of memory',
      device_fault: 'an error of the device that says no more',
    },
    remedies: [
      act(
        'Take the machine out of the run and restart without it.',
        'A device that is gone comes back only with a reset.',
      ),
      act('Have power, seating and temperature of the device looked at.', 'These are its usual reasons.'),
      avoid('Restarting on the same machine.', 'The next run loses the device again.'),
    ],
  },
  gpu_memory_fault: {
    title: "A GPU's memory has errors that cannot be corrected",
    group: 'device_fault',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: 'Xid 48, 63, 64, 94 or 95, or uncorrectable errors in `nvidia-smi -q`',
    apart: { gpu_lost: 'the device is gone', gpu_capacity: 'memory ran out and is not broken' },
    remedies: [
      act(
        'Take the machine out, reset the GPU so that the bad rows are remapped, and test it before use.',
        'Rows are remapped on a reset only.',
      ),
      act(
        'Go back to a checkpoint from before the first error.',
        'Values may have been wrong before the driver noticed.',
      ),
      avoid('A smaller batch.', 'The memory is broken, not full.'),
    ],
  },
  nvlink_fault: {
    title: 'A link between GPUs failed',
    group: 'device_fault',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: 'Xid 74, or an NVLink error in a log',
    apart: { network_link: 'the network between hosts failed', gpu_lost: 'the whole device is gone' },
    remedies: [
      act('Take the machine out and restart without it.', 'A link that fails under load fails again.'),
      act(
        'Look at `nvidia-smi nvlink -e` and at the log of the fabric manager.',
        'They count the errors per link.',
      ),
      avoid('Raising the timeout of collectives.', 'The link does not come back.'),
    ],
  },
  network_link: {
    title: 'The network between hosts failed',
    group: 'communication',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: "a network adapter's error in NCCL's log: a completion with an error, a port that went down",
    apart: {
      missing_rank: 'a rank went away and its peers only notice',
      nvlink_fault: 'a link inside of one host',
    },
    remedies: [
      act(
        "Test the port and cable of the host that NCCL's log names; take the host out meanwhile.",
        'Status 12 means that the other side did not answer in time.',
      ),
      act(
        'Look for a port that went down at that time (switch log, `ibstat`, dmesg).',
        'A flapping port looks like a slow peer.',
      ),
      avoid('Changing the model or its settings.', 'They do not reach the network.'),
    ],
  },
  slow_link: {
    title: 'The network between the ranks is slow',
    group: 'pace',
    actor: 'operator',
    action: 'unknown',
    effect: 'spoils',
    label:
      'collectives take longer for every rank alike, in one group or from some step on, while no other part of a step does; or a host fell back to a slower network',
    apart: {
      straggler: 'the slow rank itself spends little time in collectives',
      network_link: 'the network failed',
      slowdown: 'other parts of a step are slower too',
    },
    experiment:
      'Time an all_reduce of the same size between pairs of hosts (all_reduce_perf of nccl-tests): the slow pair shares the slow link.',
    remedies: [
      act(
        "Look in NCCL's log (NCCL_DEBUG=INFO) which network each host uses, and at the speed of its adapters (ibstat, ethtool).",
        'A host that fell back to sockets, or a port at a lower speed, holds up all of them.',
      ),
      act(
        'Look at the error counters of the ports and at what else uses the network.',
        'Packets that are sent again cost time and raise no error.',
      ),
      avoid('Exchanging a GPU.', 'The ranks come to the collective at the same time.'),
    ],
  },
  rendezvous: {
    title: 'The ranks did not find each other at the start',
    group: 'communication',
    actor: 'operator',
    action: 'unknown',
    effect: 'stops',
    label: 'the run ends before its first step while ranks wait for others to join',
    apart: {
      missing_rank: 'the ranks had met, and one went away later',
      launch_settings: 'the ranks say themselves that they were given different settings',
      network: 'the server is none of the run',
    },
    remedies: [
      act(
        'Check that every host was started with the same address, port and number of ranks.',
        'The first rank waits for exactly as many as it was told.',
      ),
      act(
        'Name the interface (NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME) and test the port between the hosts.',
        'A host may announce an address that others cannot reach.',
      ),
      avoid('Changing the training code.', 'It has not run yet.'),
    ],
  },
  slow_checkpoint: {
    title: 'A rank writes a checkpoint while the others wait',
    group: 'storage',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: 'the stack of the rank that the others wait for is in the saving of a checkpoint',
    apart: { disk_full: 'the write is refused', rank_zero_work: 'the rank does other work' },
    remedies: [
      act(
        'Look at the file system that the checkpoint goes to, and how long a save took before.',
        'The write lasts longer than a collective waits.',
      ),
      act(
        'Save shards from every rank or in the background (torch.distributed.checkpoint.async_save).',
        'Nobody waits then for one writer.',
      ),
      avoid('Restarting only.', 'The next checkpoint waits for the same storage.'),
    ],
  },
});

const rankSoftware = inCategory('model_software', {
  launch_settings: {
    title: 'The ranks were started with settings that do not fit together',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'stops',
    label:
      'ranks that did not meet were given different addresses, ports or numbers of ranks, an interface that a host lacks, or more ranks to wait for than were started',
    apart: { rendezvous: 'all were given the same, and a host did not come or cannot be reached' },
    remedies: [
      act(
        'Give every rank the same address, port and number of ranks, from one place.',
        'Ranks that wait at different places never meet.',
      ),
      act(
        'Name a network interface that every host has (NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME), or none.',
        'A host without that interface cannot join.',
      ),
      act('Print these settings on every rank before it joins.', 'The one that differs is seen at once.'),
      avoid('A longer timeout or another machine.', 'The ranks wait where nobody comes.'),
    ],
  },
  rank_zero_work: {
    title: 'Rank 0 does work of its own while the others wait',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'stops',
    label: 'the others stand at a barrier or collective, rank 0 is in code that only it runs',
    apart: { slow_checkpoint: 'the work is the saving of a checkpoint', stuck_rank: 'any other rank than 0' },
    remedies: [
      act(
        'Split the work over the ranks, or let the others go on instead of waiting at a barrier.',
        'Evaluation, plots and downloads on one rank last longer than a collective waits.',
      ),
      act(
        'Or give the process group of that barrier a timeout that fits the work.',
        'The work ends; only nobody waits for it.',
      ),
      avoid('Exchanging the machine.', 'The rank works as it was told.'),
    ],
  },
  stuck_rank: {
    title: 'One rank stands still in its own code',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'stops',
    label:
      'the stack of the rank that the others wait for is in a lock, in an endless loop or in a call that never returns',
    apart: { loader_stall: 'it waits for data', collective_timeout: 'no stack says what it does' },
    remedies: [
      act(
        'Read the line at which the rank stands: a lock taken twice, a loop without an end, a call without a timeout.',
        'The others only wait for it.',
      ),
      act(
        'Take a second stack some seconds later.',
        'A stack that does not change is a lock; one that changes is a loop.',
      ),
      avoid('Raising the timeout of collectives.', 'The rank does not come.'),
    ],
  },
  uneven_batches: {
    title: 'One rank ran out of batches before the others',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'stops',
    label: 'a rank has ended its loop, and the others wait in a collective of the next step',
    apart: {
      collective_mismatch: 'all are in the loop and call different things',
      missing_rank: 'the rank went away without ending its loop',
    },
    remedies: [
      act(
        'Give every rank the same number of batches (DistributedSampler, drop_last=True), or wrap the loop in Join.',
        'Each step needs every rank.',
      ),
      act(
        'Compare the number of samples per rank before the loop.',
        'An assertion there says which shard is short.',
      ),
      avoid('Raising the timeout.', 'The rank has ended its loop.'),
    ],
  },
  replica_drift: {
    title: 'The replicas of the model drifted apart',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'spoils',
    label: "the norm of the weights was equal on all ranks, and one rank's differs from some step on",
    apart: { divergence: 'the loss runs away on all ranks alike' },
    experiment:
      'Run the same steps again with the rank on another machine: code drifts again, a broken device does not.',
    remedies: [
      act(
        'Look for parameters, buffers or updates that one rank changes outside of DDP.',
        'Replicas stay equal only while every update is the same.',
      ),
      act(
        'Test the device of that rank if the code treats all ranks alike.',
        'A GPU that computes wrong values raises no error.',
      ),
      avoid('Averaging the weights and going on.', 'What drifted once drifts again.'),
    ],
  },
  versions_apart: {
    title: 'The ranks run different versions',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label:
      'ranks name different versions of the same library, or NCCL reports a version mismatch between peers',
    apart: { version_mismatch: 'the versions on one host do not fit together' },
    remedies: [
      act(
        'Install the same environment on every host (one image, one lock file).',
        'Libraries of different versions call different collectives and formats.',
      ),
      avoid('Restarting.', 'The hosts keep their versions.'),
    ],
  },
});

const rankData = inCategory('data_pipeline', {
  slow_loader: {
    title: "One rank's data comes later than the others'",
    group: 'files',
    actor: 'data',
    effect: 'spoils',
    label: 'one rank needs several times longer for its data, and the others wait for it in the collective',
    apart: {
      straggler: 'the rank is slow in its forward or backward pass',
      loader_stall: 'the data does not come at all',
    },
    experiment:
      'Run some steps with one batch kept in memory: a rank that is as fast as the others then waits for its data.',
    remedies: [
      act(
        'Look at the shard, the storage and the loader workers of that rank; compare its CPU load with that of the other hosts.',
        'All ranks wait for the one whose batch comes last.',
      ),
      act(
        'Let the loader work ahead (more workers, a larger prefetch_factor).',
        'A late batch is then ready before it is needed.',
      ),
      avoid('Exchanging the GPU of the rank.', 'It waits for data.'),
    ],
  },
  loader_stall: {
    title: "One rank's data loader does not deliver",
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'the stack of the rank that the others wait for is in its data loader',
    apart: {
      stuck_rank: 'it stands in code that reads no data',
      worker_death: 'a worker of the loader died',
    },
    remedies: [
      act('Look at the shard and the storage that this rank reads from.', 'Only this rank waits for data.'),
      act(
        'Give the loader a timeout (timeout=60), so that it names the worker.',
        'Without one it waits for ever.',
      ),
      avoid('Raising the timeout of collectives.', 'The batch does not come.'),
    ],
  },
});

export const rankCauses = { ...rankHardware, ...rankSoftware, ...rankData };

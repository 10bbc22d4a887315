// Causes: the memory of the device.
import { inCategory } from './define.js';
import { act, avoid, knowsBf16 } from './remedy.js';

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

export const deviceMemory = inCategory('memory_hardware', {
  gpu_capacity: {
    title: 'The model and batch need more memory than the device has',
    group: 'device_capacity',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: 'model and batch are too large from the start; usage is flat before the end',
    apart: {
      gpu_leak: 'memory grows before the end',
      gpu_impossible_request: 'the one request is larger than the device',
      gpu_eval_graph: 'it ends in the first evaluation',
      gpu_optimizer_state: 'it ends in the first optimizer step',
    },
    remedies: [smallerBatch, smallerBatchUnknown, cannotShrink, checkpointing, bf16, notSegments, emptyCache],
  },
  gpu_fragmentation: {
    title: 'Device memory is free but split into pieces too small for the request',
    group: 'device_layout',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: 'out of memory although more than was asked for is reserved and unused',
    apart: {
      gpu_capacity: 'nearly all reserved memory is in use',
      gpu_leak: 'memory grew before: the holes follow from the growth',
    },
    remedies: [
      act(
        'Set PYTORCH_ALLOC_CONF=expandable_segments:True (PYTORCH_CUDA_ALLOC_CONF before version 2.9).',
        'Segments that grow leave no holes between batches of different size.',
      ),
      act('Pad batches to a few fixed lengths.', 'Equal sizes reuse the same blocks.'),
      avoid('Buying a larger device or halving the batch.', 'There was enough memory; it was split.'),
    ],
  },
  gpu_other_process: {
    title: 'Another process holds the device memory',
    group: 'device_layout',
    actor: 'operator',
    action: 'exclude_node',
    effect: 'stops',
    label: 'out of memory while a part of the device is taken that this process does not hold',
    apart: {
      gpu_capacity: 'the process itself holds nearly all',
    },
    remedies: [
      act(
        'Look at nvidia-smi and end the other process, or choose another device by CUDA_VISIBLE_DEVICES.',
        'Memory in other hands cannot be tuned from here.',
      ),
      avoid('Reducing the batch size.', 'The run fits on a free device.'),
      emptyCache,
    ],
  },
  gpu_leak: {
    title: 'Device memory grows from step to step',
    group: 'device_growth',
    actor: 'author',
    effect: 'stops',
    announced: 'memory',
    label: 'device memory rises from step to step, with or without running out in the end',
    apart: {
      gpu_long_batch: 'the batches grow as well',
      gpu_capacity: 'usage is flat before the end',
    },
    remedies: [
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
  },
  gpu_long_batch: {
    title: 'One batch was much larger than the rest',
    group: 'device_request',
    actor: 'data',
    effect: 'stops',
    label: 'out of memory at one batch that is much longer than those before it',
    apart: {
      gpu_leak: 'memory grew with batches of the same length',
      gpu_impossible_request: 'the request is larger than the device',
    },
    remedies: [
      act('Cap or bucket the length of samples.', 'The longest sample decides the memory of its batch.'),
      act(
        ({ sequenceLength }) =>
          `Truncate to ${sequenceLength ?? 'a fixed number of'} tokens before collating.`,
        'A cap makes the memory of every batch predictable.',
      ),
      avoid('Reducing the batch size for the whole run.', 'All other batches fit.'),
    ],
  },
  gpu_impossible_request: {
    title: 'One allocation is larger than the whole device',
    group: 'device_request',
    actor: 'author',
    effect: 'stops',
    label: 'one request is larger than the whole device',
    apart: {
      gpu_capacity: 'the request would fit an empty device',
    },
    remedies: [
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
  },
  gpu_eval_graph: {
    title: 'Evaluation keeps the autograd graph',
    group: 'device_capacity',
    actor: 'author',
    effect: 'stops',
    label: 'training steps fit, and memory runs out in evaluation or generation',
    apart: {
      gpu_capacity: 'a training step runs out',
    },
    remedies: [
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
  },
  gpu_optimizer_state: {
    title: "The optimizer's state does not fit",
    group: 'device_capacity',
    actor: 'operator',
    action: 'fix_code',
    effect: 'stops',
    label: 'memory runs out when the optimizer makes its state, in the first step',
    apart: {
      gpu_capacity: 'forward or backward runs out',
    },
    remedies: [
      act(
        ({ optimizer }) =>
          `Replace ${optimizer ?? 'Adam'} by an 8-bit or factored optimizer (Adafactor, 8-bit AdamW), or shard its state (ZeRO, FSDP).`,
        "Adam's state takes eight bytes per parameter.",
      ),
      avoid('Reducing the batch size.', "The state's size depends on the parameters alone."),
    ],
  },
});

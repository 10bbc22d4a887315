// The nodes of the three-level tree: five areas, sixteen groups, twenty-six leaves. A leaf lists the sub-causes it holds
// and the signals that confirm it beyond the symptom itself.

import type { Subcause } from '../detectors/causes.js';
import type { FeatureVector } from '../features/extract.js';
import type { DiagnosedCategory } from './diagnosis.js';

/** True confirms, false contradicts, undefined when the run did not record it. */
export type Confirmation = (features: FeatureVector) => boolean | undefined;

interface NodeBase {
  readonly id: string;
  readonly question: string;
}
export interface AreaNode extends NodeBase {
  readonly level: 1;
  readonly category: DiagnosedCategory;
}
export interface GroupNode extends NodeBase {
  readonly level: 2;
  readonly parent: string;
}
export interface LeafNode extends NodeBase {
  readonly level: 3;
  readonly parent: string;
  readonly subcauses: readonly Subcause[];
  readonly confirmations: readonly Confirmation[];
}
export type TreeNode = AreaNode | GroupNode | LeafNode;

const above =
  (name: string, limit: number): Confirmation =>
  (features) => {
    const value = features.get(name);
    return value === undefined ? undefined : value > limit;
  };
/** Confirms only: the absence of the signal says nothing against the leaf. */
const onlyIf =
  (confirmation: Confirmation): Confirmation =>
  (features) =>
    confirmation(features) || undefined;

const area = (id: string, category: DiagnosedCategory, question: string): AreaNode => ({
  level: 1,
  id,
  category,
  question,
});
const group = (id: string, parent: string, question: string): GroupNode => ({
  level: 2,
  id,
  parent,
  question,
});
const leaf = (
  id: string,
  parent: string,
  question: string,
  subcauses: readonly Subcause[],
  confirmations: readonly Confirmation[] = [],
): LeafNode => ({ level: 3, id, parent, question, subcauses, confirmations });

export const treeNodes: readonly TreeNode[] = [
  area('resources', 'memory_hardware', 'Did a resource or the platform give out?'),
  area('optimisation', 'optimization', 'Did the numbers of the optimisation go wrong?'),
  area('data', 'data_pipeline', 'Is what was fed in wrong?'),
  area('software', 'model_software', 'Is the model or its code wrong?'),
  area('undetermined', 'unknown', 'Is nothing of this established?'),

  group('device_memory', 'resources', 'Did device memory run out or grow?'),
  group('host_resources', 'resources', 'Did the host lack memory, shared memory, space or files?'),
  group('device_health', 'resources', 'Did the device itself fail?'),
  group('outside_stop', 'resources', 'Was the run ended from outside?'),
  group('pace', 'resources', 'Did the run slow down, stand still or begin again?'),
  group('communication', 'resources', 'Did the ranks lose each other?'),
  group('numeric_break', 'optimisation', 'Did a value leave what its format holds?'),
  group('instability', 'optimisation', 'Did steps grow out of control?'),
  group('no_learning', 'optimisation', 'Did the loss fail to fall?'),
  group('generalisation', 'optimisation', 'Does validation part from training?'),
  group('indexes', 'data', 'Is an index outside its table?'),
  group('reading', 'data', 'Can the data be read and batched?'),
  group('content', 'data', 'Is the content of the batches wrong?'),
  group('tensors', 'software', 'Do tensors or weights not fit?'),
  group('graph', 'software', 'Is the autograd graph wrong?'),
  group('environment', 'software', 'Is the environment, the configuration or the code wrong?'),

  leaf(
    'memory_capacity',
    'device_memory',
    'Too little for model, optimizer or evaluation?',
    ['gpu_capacity', 'gpu_optimizer_state', 'gpu_eval_graph'],
    [onlyIf(above('memory_peak_fraction', 0.85)), onlyIf(above('batch_size', 5))],
  ),
  leaf(
    'memory_request',
    'device_memory',
    'One request out of proportion?',
    ['gpu_impossible_request', 'gpu_long_batch'],
    [onlyIf(above('memory_request_fraction', 1)), onlyIf(above('batch_length_peak', 1.5))],
  ),
  leaf(
    'memory_layout',
    'device_memory',
    'Free memory that cannot be used?',
    ['gpu_fragmentation', 'gpu_other_process'],
    [onlyIf(above('memory_unused_reserve', 0.1)), onlyIf(above('memory_foreign_fraction', 0.2))],
  ),
  leaf(
    'memory_growth',
    'device_memory',
    'Growing from step to step?',
    ['gpu_leak'],
    [above('memory_growth', 0.1)],
  ),
  leaf(
    'host_memory',
    'host_resources',
    'Host memory?',
    ['host_memory', 'worker_death'],
    [onlyIf(above('host_memory_growth', 0.1)), onlyIf(above('text_host_resource', 0.5))],
  ),
  leaf('shared_memory', 'host_resources', 'Shared memory?', ['shared_memory']),
  leaf('storage', 'host_resources', 'Space or open files?', ['disk_full', 'open_files']),
  leaf('device_fault', 'device_health', 'A fault of the device or driver?', ['device_fault']),
  leaf(
    'outside',
    'outside_stop',
    'A person, a limit or a scheduler?',
    ['terminated', 'time_limit', 'preempted'],
    [onlyIf(above('stopped_by_signal', 0.5))],
  ),
  leaf(
    'pace',
    'pace',
    'Slower, still or repeating?',
    ['slowdown', 'hang', 'straggler', 'restart_loop'],
    [onlyIf(above('slowdown', 0.4))],
  ),
  leaf(
    'collective',
    'communication',
    'A collective or a rank?',
    ['collective_timeout', 'missing_rank'],
    [onlyIf(above('text_collective', 0.5))],
  ),
  leaf(
    'precision',
    'numeric_break',
    'Half precision?',
    ['precision_overflow', 'loss_scale_collapse'],
    [above('half_precision', 0.75), onlyIf(above('loss_scale_fall', 4))],
  ),
  leaf(
    'operation',
    'numeric_break',
    'One operation?',
    ['unstable_operation'],
    [onlyIf(above('nonfinite_fraction', 0))],
  ),
  leaf(
    'rate_high',
    'instability',
    'Too large steps?',
    ['learning_rate_too_high', 'divergence_after_schedule'],
    [
      onlyIf(above('learning_rate_position', 0.9)),
      onlyIf(above('learning_rate_jump', 0.4)),
      onlyIf(above('gradient_norm_peak', 3)),
    ],
  ),
  leaf(
    'explosion',
    'instability',
    'Growing gradients or swings?',
    ['gradient_explosion', 'divergence', 'oscillation'],
    [onlyIf(above('gradient_norm_peak', 2)), onlyIf(above('loss_rise_from_best', 0.4))],
  ),
  leaf(
    'rate_low',
    'no_learning',
    'Too small steps?',
    ['learning_rate_too_low'],
    [onlyIf((features) => (features.get('learning_rate_position') ?? 1) < 0)],
  ),
  leaf(
    'stalled',
    'no_learning',
    'No usable gradient?',
    ['plateau', 'gradient_vanishing', 'dead_units'],
    [onlyIf((features) => (features.get('gradient_norm_level') ?? 0) < -5)],
  ),
  leaf(
    'overfit',
    'generalisation',
    'Learned by heart, or another mode?',
    ['overfit', 'train_eval_gap'],
    [onlyIf(above('eval_train_gap', 0.7))],
  ),
  leaf(
    'index_range',
    'indexes',
    'Token or label?',
    ['token_out_of_vocabulary', 'label_out_of_range', 'index_out_of_range'],
    [onlyIf(above('vocabulary_excess', 0)), onlyIf(above('label_excess', 0))],
  ),
  leaf(
    'files',
    'reading',
    'Missing, empty, damaged, undecodable or ragged?',
    ['missing_data', 'empty_data', 'truncated_data', 'decode_error', 'ragged_batch'],
    [onlyIf(above('text_data_file', 0.5))],
  ),
  leaf('values', 'content', 'NaN in the inputs?', ['nan_in_data'], [onlyIf(above('input_nan_fraction', 0))]),
  leaf(
    'labels',
    'content',
    'Labels?',
    ['chance_level', 'shuffled_labels', 'degenerate_labels', 'ignored_targets'],
    [onlyIf(above('loss_over_chance', 0.95)), onlyIf(above('ignored_target_fraction', 0.99))],
  ),
  leaf(
    'language',
    'content',
    'Words?',
    ['tokenizer_mismatch', 'catastrophic_perplexity'],
    [onlyIf(above('loss_over_chance', 1.1)), onlyIf(above('vocabulary_excess', 0))],
  ),
  leaf(
    'fit',
    'tensors',
    'Shape, type, device, heads, positions or checkpoint?',
    [
      'shape_mismatch',
      'dtype_mismatch',
      'device_mismatch',
      'heads_not_divisible',
      'position_table',
      'checkpoint_mismatch',
    ],
    [onlyIf(above('text_shape', 0.5)), onlyIf(above('text_dtype_device', 0.5))],
  ),
  leaf(
    'graph',
    'graph',
    'Frozen, foreign, reused, changed or unused?',
    ['frozen_parameters', 'foreign_parameters', 'graph_reused', 'in_place_change', 'unused_parameters'],
    [onlyIf(above('text_autograd', 0.5))],
  ),
  leaf(
    'environment',
    'environment',
    'Versions, packages, settings or code?',
    ['version_mismatch', 'missing_package', 'invalid_configuration', 'code_error'],
    [onlyIf(above('text_version', 0.5))],
  ),
];

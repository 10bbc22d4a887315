// The one table of sub-causes: which category each belongs to, what it is called, and whether it stops a run or spoils it.

export const categories = [
  'memory_hardware',
  'optimization',
  'data_pipeline',
  'model_software',
  'unknown',
] as const;
export type FailureCategory = (typeof categories)[number];

interface Cause {
  readonly category: Exclude<FailureCategory, 'unknown'>;
  readonly title: string;
}

const cause = (category: Cause['category'], title: string): Cause => ({ category, title });

export const causes = {
  gpu_capacity: cause('memory_hardware', 'The model and batch need more memory than the device has'),
  gpu_fragmentation: cause(
    'memory_hardware',
    'Device memory is free but split into pieces too small for the request',
  ),
  gpu_other_process: cause('memory_hardware', 'Another process holds the device memory'),
  gpu_leak: cause('memory_hardware', 'Device memory grows from step to step'),
  gpu_long_batch: cause('memory_hardware', 'One batch was much larger than the rest'),
  gpu_impossible_request: cause('memory_hardware', 'One allocation is larger than the whole device'),
  gpu_eval_graph: cause('memory_hardware', 'Evaluation keeps the autograd graph'),
  gpu_optimizer_state: cause('memory_hardware', "The optimizer's state does not fit"),
  host_memory: cause('memory_hardware', 'The host ran out of memory'),
  shared_memory: cause('memory_hardware', 'Shared memory is too small for the data loader'),
  worker_death: cause('memory_hardware', 'A data loader worker was killed'),
  disk_full: cause('memory_hardware', 'The disk is full'),
  open_files: cause('memory_hardware', 'Too many files are open'),
  device_fault: cause('memory_hardware', 'The device or its driver failed'),
  terminated: cause('memory_hardware', 'Somebody or something outside ended the run'),
  time_limit: cause('memory_hardware', "The scheduler's time limit ended the run"),
  preempted: cause('memory_hardware', 'The scheduler took the machine back'),
  hang: cause('memory_hardware', 'The run stopped making progress'),
  slowdown: cause('memory_hardware', 'Steps became much slower'),
  restart_loop: cause('memory_hardware', 'The run keeps restarting'),
  collective_timeout: cause('memory_hardware', 'A collective operation timed out'),
  missing_rank: cause('memory_hardware', 'A rank never arrived or went away'),
  straggler: cause('memory_hardware', 'One rank is slower than the others'),

  learning_rate_too_high: cause('optimization', 'The learning rate is too high'),
  learning_rate_too_low: cause('optimization', 'The learning rate is too low'),
  gradient_explosion: cause('optimization', 'Gradients explode'),
  gradient_vanishing: cause('optimization', 'Gradients vanish'),
  divergence: cause('optimization', 'The loss diverges'),
  divergence_after_schedule: cause('optimization', 'The loss diverges after the learning rate changed'),
  precision_overflow: cause('optimization', 'Half precision overflows'),
  loss_scale_collapse: cause('optimization', 'The loss scale collapsed'),
  unstable_operation: cause('optimization', 'A numerically unstable operation makes NaN'),
  dead_units: cause('optimization', 'Most units are dead'),
  oscillation: cause('optimization', 'The loss oscillates instead of falling'),
  plateau: cause('optimization', 'The loss stopped falling far from its goal'),
  overfit: cause('optimization', 'The model overfits'),
  train_eval_gap: cause('optimization', 'Validation never follows training'),

  nan_in_data: cause('data_pipeline', 'The data contains NaN or infinite values'),
  token_out_of_vocabulary: cause('data_pipeline', 'A token id lies outside the embedding table'),
  label_out_of_range: cause('data_pipeline', 'A label lies outside the classes of the output'),
  index_out_of_range: cause('data_pipeline', 'A token or label index lies outside its table on the device'),
  tokenizer_mismatch: cause(
    'data_pipeline',
    "The tokenizer and the model's embedding do not belong together",
  ),
  catastrophic_perplexity: cause('data_pipeline', 'Perplexity is beyond guessing'),
  chance_level: cause('data_pipeline', 'Predictions stay at chance level'),
  shuffled_labels: cause('data_pipeline', 'Labels do not belong to their inputs'),
  degenerate_labels: cause('data_pipeline', 'All labels are the same'),
  ignored_targets: cause('data_pipeline', 'The loss ignores every target'),
  empty_data: cause('data_pipeline', 'The data set or a batch is empty'),
  truncated_data: cause('data_pipeline', 'A data file is truncated or damaged'),
  missing_data: cause('data_pipeline', 'A data file, column or key is missing'),
  decode_error: cause('data_pipeline', 'A data file cannot be decoded'),
  ragged_batch: cause('data_pipeline', 'Samples of different sizes cannot be stacked'),

  shape_mismatch: cause('model_software', 'Tensor shapes do not fit'),
  dtype_mismatch: cause('model_software', 'Number types do not fit'),
  device_mismatch: cause('model_software', 'Tensors are on different devices'),
  checkpoint_mismatch: cause('model_software', 'The checkpoint does not belong to this model'),
  heads_not_divisible: cause('model_software', 'The width is not divisible by the number of heads'),
  position_table: cause('model_software', 'The sequence is longer than the position table'),
  frozen_parameters: cause('model_software', 'No parameter receives a gradient'),
  foreign_parameters: cause('model_software', "The optimizer does not hold the model's parameters"),
  graph_reused: cause('model_software', 'The autograd graph is used twice'),
  in_place_change: cause('model_software', 'A tensor needed for the gradient was changed in place'),
  unused_parameters: cause('model_software', 'Some parameters took no part in the loss under DDP'),
  version_mismatch: cause('model_software', 'Installed versions or builds do not fit together'),
  missing_package: cause('model_software', 'A package is not installed'),
  invalid_configuration: cause('model_software', 'A setting or argument is not accepted'),
  code_error: cause('model_software', 'The training code raised an error'),
} as const satisfies Record<string, Cause>;

export type Subcause = keyof typeof causes;

export function causeOf(subcause: Subcause): Cause {
  return causes[subcause];
}

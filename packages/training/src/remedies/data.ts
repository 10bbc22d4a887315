// Remedies when what was fed in is wrong.
import { act, avoid, type RemedyEntry } from './define.js';

const onHost = act(
  'Run one step on the CPU.',
  'The error then names the index and the line; on the device it comes late and elsewhere.',
);
const notRate = avoid('Lowering the learning rate.', 'The inputs are wrong before any step is made.');

export const dataRemedies = {
  nan_in_data: [
    act(
      'Check inputs with isfinite before training; drop or impute the samples.',
      'One NaN reaches every weight in one backward pass.',
    ),
    act('Resume from a checkpoint before the onset.', 'Weights after it are NaN.'),
    notRate,
    avoid('Clipping gradients.', 'A NaN cannot be clipped.'),
  ],
  token_out_of_vocabulary: [
    act(
      'Call model.resize_token_embeddings(len(tokenizer)), or load the tokenizer that belongs to the model.',
      'Ids above the table come from tokens the model does not have.',
    ),
    onHost,
    avoid('Reinstalling CUDA or cuBLAS.', 'Their errors here only follow from the failed lookup.'),
  ],
  label_out_of_range: [
    act(
      'Map labels to 0 ... classes-1, or set the number of classes to the largest label plus one.',
      'The loss indexes the output by the label.',
    ),
    act('Give the loss its ignore_index if some labels mean "none".', 'Only -100 is ignored by default.'),
    onHost,
    avoid('Reducing the batch size.', 'Memory is not involved.'),
  ],
  index_out_of_range: [
    onHost,
    act(
      'Compare the largest token id with the embedding rows and the largest label with the classes.',
      'One of them is nearly always the cause of a device-side assert.',
    ),
    avoid('Reinstalling CUDA.', 'The device did what it should: it checked an index.'),
  ],
  tokenizer_mismatch: [
    act(
      'Load tokenizer and model from the same checkpoint; resize the embedding after adding tokens.',
      'Ids of one vocabulary mean other words in another.',
    ),
    notRate,
  ],
  catastrophic_perplexity: [
    act(
      'Decode a batch back to text and read it, inputs and shifted targets side by side.',
      'Worse than guessing means being sure of the wrong words.',
    ),
    act(
      'Check that training and validation use the same tokenizer and preprocessing.',
      'One of them is foreign to the model.',
    ),
    avoid('Training longer.', 'The targets do not match the inputs.'),
  ],
  chance_level: [
    act(
      'Overfit one batch; then print ten inputs with their labels.',
      'If one batch can be learned, inputs and labels do not belong together.',
    ),
    act(
      'Check that inputs are not constant: mean and spread per batch.',
      'A preprocessing bug often makes them all zero.',
    ),
    avoid('Changing the learning rate.', 'Gradients flow and lead nowhere.'),
  ],
  shuffled_labels: [
    act(
      'Check that inputs and labels are shuffled, sorted and filtered together.',
      'The model learns by heart what it cannot generalise.',
    ),
    avoid('Regularising.', 'There is nothing to generalise.'),
  ],
  degenerate_labels: [
    act(
      'Count the classes after loading; shuffle data that is sorted by class.',
      'Every recorded batch has a single label.',
    ),
    notRate,
  ],
  ignored_targets: [
    act(
      'Print a batch of labels: the template must match, and truncation must not cut the answer off.',
      'Every target is left out of the loss.',
    ),
    notRate,
  ],
  empty_data: [
    act(
      'Check path, filter and split; and drop_last when there are fewer samples than a batch.',
      'Nothing arrived at the loader.',
    ),
  ],
  truncated_data: [
    act(
      'Verify checksums and fetch the file again; find the others of the same kind before restarting.',
      'Interrupted copies rarely damage one file only.',
    ),
    avoid('Skipping bad samples silently.', 'It hides how many there are.'),
  ],
  missing_data: [
    act(
      'Check the path or column name the traceback shows against what is there.',
      'It does not exist under that name.',
    ),
  ],
  decode_error: [
    act(
      'Find the line the message names; read the file in its own encoding.',
      'The content is not what the reader expects.',
    ),
    avoid("errors='ignore'.", 'It loses text without a trace.'),
  ],
  ragged_batch: [
    act(
      'Pad or resize in the collator (pad_sequence, a data collator with padding).',
      'Samples of one batch must have one shape.',
    ),
    avoid('Setting the batch size to 1.', 'It hides the missing padding and slows everything.'),
  ],
} satisfies Record<string, readonly RemedyEntry[]>;

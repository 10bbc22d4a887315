// Causes: what was fed in is wrong.
import { inCategory } from './define.js';
import { act, avoid } from './remedy.js';

const onHost = act(
  'Run one step on the CPU.',
  'The error then names the index and the line; on the device it comes late and elsewhere.',
);
const notRate = avoid('Lowering the learning rate.', 'The inputs are wrong before any step is made.');

export const data = inCategory('data_pipeline', {
  nan_in_data: {
    title: 'The data contains NaN or infinite values',
    group: 'values',
    actor: 'data',
    effect: 'ruins',
    label: 'the inputs or targets hold NaN or infinite values; the message or the first bad batch shows it',
    apart: {
      unstable_operation: 'the inputs are known to be clean',
      learning_rate_too_high: 'the loss grew before it broke',
    },
    remedies: [
      act(
        'Check inputs with isfinite before training; drop or impute the samples.',
        'One NaN reaches every weight in one backward pass.',
      ),
      act('Resume from a checkpoint before the onset.', 'Weights after it are NaN.'),
      notRate,
      avoid('Clipping gradients.', 'A NaN cannot be clipped.'),
    ],
  },
  token_out_of_vocabulary: {
    title: 'A token id lies outside the embedding table',
    group: 'index',
    actor: 'data',
    effect: 'stops',
    label: 'a token id lies outside the embedding table',
    apart: {
      position_table: 'the sequence, not the id, is beyond its table',
      label_out_of_range: 'the loss looked the index up',
      index_out_of_range: 'the message does not say which table it was',
    },
    remedies: [
      act(
        'Call model.resize_token_embeddings(len(tokenizer)), or load the tokenizer that belongs to the model.',
        'Ids above the table come from tokens the model does not have.',
      ),
      onHost,
      avoid('Reinstalling CUDA or cuBLAS.', 'Their errors here only follow from the failed lookup.'),
    ],
  },
  label_out_of_range: {
    title: 'A label lies outside the classes of the output',
    group: 'index',
    actor: 'data',
    effect: 'stops',
    label: 'a label lies outside the classes of the output',
    apart: {
      token_out_of_vocabulary: 'an embedding looked the index up',
      index_out_of_range: 'the message does not say which table it was',
    },
    remedies: [
      act(
        'Map labels to 0 ... classes-1, or set the number of classes to the largest label plus one.',
        'The loss indexes the output by the label.',
      ),
      act('Give the loss its ignore_index if some labels mean "none".', 'Only -100 is ignored by default.'),
      onHost,
      avoid('Reducing the batch size.', 'Memory is not involved.'),
    ],
  },
  index_out_of_range: {
    title: 'A token or label index lies outside its table on the device',
    group: 'index',
    actor: 'data',
    effect: 'stops',
    label: 'the device asserts that an index is out of bounds, and nothing says of which table',
    apart: {
      label_out_of_range: 'the loss or its kernel is named',
      token_out_of_vocabulary: 'an embedding or its kernel is named',
    },
    remedies: [
      onHost,
      act(
        'Compare the largest token id with the embedding rows and the largest label with the classes.',
        'One of them is nearly always the cause of a device-side assert.',
      ),
      avoid('Reinstalling CUDA.', 'The device did what it should: it checked an index.'),
    ],
  },
  tokenizer_mismatch: {
    title: "The tokenizer and the model's embedding do not belong together",
    group: 'language',
    actor: 'data',
    effect: 'spoils',
    label: "the tokenizer and the model's embedding do not belong together: sizes or names differ",
    apart: {
      token_out_of_vocabulary: 'an id is beyond the table and the run ends by it',
      catastrophic_perplexity: 'nothing but the perplexity shows it',
    },
    remedies: [
      act(
        'Load tokenizer and model from the same checkpoint; resize the embedding after adding tokens.',
        'Ids of one vocabulary mean other words in another.',
      ),
      notRate,
    ],
  },
  catastrophic_perplexity: {
    title: 'Perplexity is beyond guessing',
    group: 'language',
    actor: 'data',
    effect: 'spoils',
    label: 'perplexity is far worse than guessing among all words',
    apart: {
      tokenizer_mismatch: 'tokenizer and embedding are known to differ',
      divergence: 'it was good before',
    },
    remedies: [
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
  },
  chance_level: {
    title: 'Predictions stay at chance level',
    group: 'labels',
    actor: 'data',
    effect: 'spoils',
    label: 'loss or metric stay at what guessing gets, while gradients flow',
    apart: {
      frozen_parameters: 'no gradient flows',
      learning_rate_too_high: 'the first steps threw the loss far up',
      plateau: 'it stands still, but better than guessing',
      shuffled_labels: 'training learns by heart while validation guesses',
    },
    experiment:
      'Overfit one batch: if its loss goes to zero, model and optimizer work, and inputs and labels do not belong together.',
    remedies: [
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
  },
  shuffled_labels: {
    title: 'Labels do not belong to their inputs',
    group: 'labels',
    actor: 'data',
    effect: 'spoils',
    label: 'training learns by heart while validation stays at chance',
    apart: {
      overfit: 'validation was better than chance first',
      chance_level: 'training does not learn either',
    },
    experiment:
      'Shuffle the labels on purpose: a curve that stays the same says that they were shuffled before.',
    remedies: [
      act(
        'Check that inputs and labels are shuffled, sorted and filtered together.',
        'The model learns by heart what it cannot generalise.',
      ),
      avoid('Regularising.', 'There is nothing to generalise.'),
    ],
  },
  leakage: {
    title: 'The answers are in the questions',
    group: 'labels',
    actor: 'data',
    effect: 'spoils',
    label:
      'held-out data is guessed better than its nature allows: the target is among the inputs, or evaluated rows were trained on',
    apart: {
      overfit: 'validation is worse than training',
    },
    experiment: 'Train on each input column alone: one that suffices is the leak.',
    remedies: [
      act(
        'Evaluate on rows collected later, or train on one feature at a time: one that suffices alone is the leak.',
        'A leak is gone where the answer is not known yet.',
      ),
      act(
        'Check the shift and the mask of the targets, and look for rows that are in both splits.',
        'These are the usual ways in.',
      ),
      avoid('Reporting the figure.', 'It will not hold on new data.'),
    ],
  },
  degenerate_labels: {
    title: 'All labels are the same',
    group: 'labels',
    actor: 'data',
    effect: 'spoils',
    label: 'every recorded batch has one and the same label',
    apart: {
      chance_level: 'labels differ',
    },
    experiment: 'Count the labels of ten batches.',
    remedies: [
      act(
        'Count the classes after loading; shuffle data that is sorted by class.',
        'Every recorded batch has a single label.',
      ),
      notRate,
    ],
  },
  ignored_targets: {
    title: 'The loss ignores every target',
    group: 'labels',
    actor: 'data',
    effect: 'ruins',
    label: 'all targets are left out of the loss: it is zero or NaN from the start',
    apart: {
      nan_in_data: 'the inputs hold NaN',
    },
    remedies: [
      act(
        'Print a batch of labels: the template must match, and truncation must not cut the answer off.',
        'Every target is left out of the loss.',
      ),
      notRate,
    ],
  },
  empty_data: {
    title: 'The data set or a batch is empty',
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'the data set, the split or a batch is empty',
    apart: {
      missing_data: 'the file itself is not there',
    },
    remedies: [
      act(
        'Check path, filter and split; and drop_last when there are fewer samples than a batch.',
        'Nothing arrived at the loader.',
      ),
    ],
  },
  truncated_data: {
    title: 'A data file is truncated or damaged',
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'a data file ends too early or fails its checksum',
    apart: {
      checkpoint_mismatch: 'the file is whole and belongs to another model',
      decode_error: 'the file is whole and in another encoding or format',
    },
    remedies: [
      act(
        'Verify checksums and fetch the file again; find the others of the same kind before restarting.',
        'Interrupted copies rarely damage one file only.',
      ),
      avoid('Skipping bad samples silently.', 'It hides how many there are.'),
    ],
  },
  missing_data: {
    title: 'A file, column or key is missing',
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'a file of rows or weights, a column or a key is not there under its name',
    apart: {
      code_error:
        "the key is one of the model's output or of the code's own dictionaries, or the file was to be written and has no folder",
      missing_package: 'a module is missing, not a file',
    },
    remedies: [
      act(
        'Check the path or column name the traceback shows against what is there.',
        'It does not exist under that name.',
      ),
    ],
  },
  decode_error: {
    title: 'A data file cannot be decoded',
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'a data file cannot be decoded: encoding, JSON, CSV or image format',
    apart: {
      truncated_data: 'the file ends too early',
    },
    remedies: [
      act(
        'Find the line the message names; read the file in its own encoding.',
        'The content is not what the reader expects.',
      ),
      avoid("errors='ignore'.", 'It loses text without a trace.'),
    ],
  },
  ragged_batch: {
    title: 'Samples of different sizes cannot be stacked',
    group: 'files',
    actor: 'data',
    effect: 'stops',
    label: 'samples of different sizes cannot be stacked',
    apart: {
      shape_mismatch: 'a layer refuses the batch after it was stacked',
    },
    remedies: [
      act(
        'Pad or resize in the collator (pad_sequence, a data collator with padding).',
        'Samples of one batch must have one shape.',
      ),
      avoid('Setting the batch size to 1.', 'It hides the missing padding and slows everything.'),
    ],
  },
});

// Remedies when the model or its code is wrong.
import { act, avoid, type RemedyEntry } from './define.js';

const notBatch = avoid('Changing the batch size or learning rate.', 'The error does not depend on them.');

export const modelRemedies = {
  shape_mismatch: [
    act(
      'Print the shapes on both sides of the line the traceback shows; fix the layer that was made for the other size.',
      'The message names both sizes.',
    ),
    notBatch,
  ],
  dtype_mismatch: [
    act(
      'Convert at the border: inputs with .float(), labels with .long(), or run the forward pass under autocast.',
      'numpy makes float64, models are float32 or half.',
    ),
    notBatch,
  ],
  device_mismatch: [
    act(
      'Move the batch and create new tensors with device=x.device; register constants as buffers.',
      'One operand stayed behind.',
    ),
    notBatch,
  ],
  checkpoint_mismatch: [
    act(
      'Compare the keys: strip or add the `module.` prefix, and build the model with the settings of the checkpoint.',
      'The message lists what differs.',
    ),
    avoid('strict=False without reading the list.', 'It leaves those weights at random.'),
  ],
  heads_not_divisible: [
    act('Choose a width that is a multiple of the heads.', 'Each head gets width / heads channels.'),
    notBatch,
  ],
  position_table: [
    act(
      'Truncate inputs to the length of the table, or enlarge the table and train it.',
      'Positions past the end have no row.',
    ),
    avoid('Resizing the token embedding.', 'The tokens are in range.'),
  ],
  frozen_parameters: [
    act(
      'Check requires_grad, torch.no_grad() and .detach() between parameters and loss; print the trainable parameters.',
      'No gradient reaches a parameter.',
    ),
    avoid('Raising the learning rate.', 'Nothing is multiplied by it.'),
  ],
  foreign_parameters: [
    act(
      'Create the optimizer after the model is final: moved, wrapped, heads exchanged.',
      'It updates parameters the model no longer uses.',
    ),
    avoid('Raising the learning rate.', 'It moves the wrong parameters faster.'),
  ],
  graph_reused: [
    act(
      'Detach what is carried from step to step, or compute the loss anew.',
      'The graph was freed by the first backward.',
    ),
    avoid('retain_graph=True.', 'It keeps every step in memory and grows without end.'),
  ],
  in_place_change: [
    act(
      'Replace the in-place operation (x = x + y, inplace=False), or step the optimizer after all backward passes.',
      'Backward needs the old value.',
    ),
  ],
  unused_parameters: [
    act(
      'Use all parameters in the loss, or pass find_unused_parameters=True to DDP.',
      'The reducer waits for gradients that never come.',
    ),
    avoid('Raising the NCCL timeout.', 'It waits for something that is not made.'),
  ],
  version_mismatch: [
    act((facts) => {
      const known = ['torch', 'cuda', 'driver', 'transformers', 'numpy'].flatMap((name) =>
        facts.version(name) ? [`${name} ${facts.version(name)}`] : [],
      );
      return `Install versions that were built for each other${known.length > 0 ? ` (this run: ${known.join(', ')})` : ''}.`;
    }, 'One side is of another version than the other expects.'),
    notBatch,
  ],
  missing_package: [
    act(
      'Install the package in the environment that runs the job; compare `which python` there.',
      'It is not on the path of this interpreter.',
    ),
  ],
  invalid_configuration: [act('Correct the setting the message names.', 'The library refused it.')],
  code_error: [
    act(
      "Fix the line at the end of the traceback's own frames.",
      'The first exception of the chain is the cause; later ones follow.',
    ),
    notBatch,
  ],
} satisfies Record<string, readonly RemedyEntry[]>;

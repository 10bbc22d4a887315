// Causes: the model, its code or its environment is wrong.
import { inCategory } from './define.js';
import { act, avoid } from './remedy.js';

const notBatch = avoid('Changing the batch size or learning rate.', 'The error does not depend on them.');

export const software = inCategory('model_software', {
  shape_mismatch: {
    title: 'Tensor shapes do not fit',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: 'an operation refuses the shapes of its operands',
    apart: {
      ragged_batch: 'the samples could not be stacked',
      checkpoint_mismatch: 'sizes in a checkpoint differ',
    },
    remedies: [
      act(
        'Print the shapes on both sides of the line the traceback shows; fix the layer that was made for the other size.',
        'The message names both sizes.',
      ),
      notBatch,
    ],
  },
  dtype_mismatch: {
    title: 'Number types do not fit',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: 'an operation refuses the number types of its operands',
    apart: {
      device_mismatch: 'the message names devices',
    },
    remedies: [
      act(
        'Convert at the border: inputs with .float(), labels with .long(), or run the forward pass under autocast.',
        'numpy makes float64, models are float32 or half.',
      ),
      notBatch,
    ],
  },
  device_mismatch: {
    title: 'Tensors are on different devices',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: 'an operation finds its operands on different devices',
    apart: {
      dtype_mismatch: 'the message names number types',
    },
    remedies: [
      act(
        'Move the batch and create new tensors with device=x.device; register constants as buffers.',
        'One operand stayed behind.',
      ),
      notBatch,
    ],
  },
  checkpoint_mismatch: {
    title: 'The checkpoint does not belong to this model',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: "keys or sizes of a state dict, an optimizer's groups, a file of another model",
    apart: {
      truncated_data: 'the file is not whole',
      version_mismatch: 'the file was written by another version of the library',
    },
    remedies: [
      act(
        'Compare the keys: strip or add the `module.` prefix, and build the model with the settings of the checkpoint.',
        'The message lists what differs.',
      ),
      avoid('strict=False without reading the list.', 'It leaves those weights at random.'),
    ],
  },
  heads_not_divisible: {
    title: 'The width is not divisible by the number of heads',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: 'the width is not a multiple of the number of heads',
    apart: {
      shape_mismatch: 'two tensors meet that do not fit',
    },
    remedies: [
      act('Choose a width that is a multiple of the heads.', 'Each head gets width / heads channels.'),
      notBatch,
    ],
  },
  position_table: {
    title: 'The sequence is longer than the position table',
    group: 'tensors',
    actor: 'author',
    effect: 'stops',
    label: 'a sequence goes beyond the table of positions, or of a mask',
    apart: {
      token_out_of_vocabulary: 'ids go beyond the vocabulary',
    },
    remedies: [
      act(
        'Truncate inputs to the length of the table, or enlarge the table and train it.',
        'Positions past the end have no row.',
      ),
      avoid('Resizing the token embedding.', 'The tokens are in range.'),
    ],
  },
  frozen_parameters: {
    title: 'No parameter receives a gradient',
    group: 'autograd',
    actor: 'author',
    effect: 'spoils',
    label:
      'no trainable parameter reaches the loss: everything frozen, loss detached, built under `no_grad`; with an exception, or as a flat loss with a gradient norm of zero',
    apart: {
      foreign_parameters: 'gradients flow, and the optimizer steps something else',
      learning_rate_too_low: 'gradients flow and the rate is tiny',
    },
    experiment: 'Print how many parameters require a gradient, and the sum of one before and after a step.',
    remedies: [
      act(
        'Check requires_grad, torch.no_grad() and .detach() between parameters and loss; print the trainable parameters.',
        'No gradient reaches a parameter.',
      ),
      avoid('Raising the learning rate.', 'Nothing is multiplied by it.'),
    ],
  },
  foreign_parameters: {
    title: "The optimizer does not hold the model's parameters",
    group: 'autograd',
    actor: 'author',
    effect: 'stops',
    label: 'gradients flow (norm above zero), but the optimizer steps parameters of something else, or none',
    apart: {
      learning_rate_too_low: 'the rate is zero or tiny',
      frozen_parameters: 'no gradient flows',
    },
    experiment: 'Print the sum of one weight before and after optimizer.step().',
    remedies: [
      act(
        'Create the optimizer after the model is final: moved, wrapped, heads exchanged.',
        'It updates parameters the model no longer uses.',
      ),
      avoid('Raising the learning rate.', 'It moves the wrong parameters faster.'),
    ],
  },
  wrong_objective: {
    title: 'What is minimised is not what is wanted',
    group: 'objective',
    actor: 'author',
    effect: 'ruins',
    label:
      'the sign, the reduction or the shapes of the objective are wrong: it improves while what is measured becomes worse',
    apart: {
      divergence: 'the loss itself becomes worse',
      learning_rate_too_high: 'the loss leaves upwards at once',
    },
    experiment: 'Take one small step and compare the score of that batch before and after.',
    remedies: [
      act(
        'Compute the loss of one batch by hand: sign, mean or sum, and the shapes of outputs and targets.',
        'Every step goes in the direction that it gives.',
      ),
      act('Take one small step and compare the score before and after.', 'The right objective raises it.'),
      avoid('Lowering the learning rate.', 'It would only get there more slowly.'),
    ],
  },
  graph_reused: {
    title: 'The autograd graph is used twice',
    group: 'autograd',
    actor: 'author',
    effect: 'stops',
    label: 'backward goes through a graph a second time',
    apart: {
      in_place_change: 'the graph is there, and a tensor in it was changed',
    },
    remedies: [
      act(
        'Detach what is carried from step to step, or compute the loss anew.',
        'The graph was freed by the first backward.',
      ),
      avoid('retain_graph=True.', 'It keeps every step in memory and grows without end.'),
    ],
  },
  in_place_change: {
    title: 'A tensor needed for the gradient was changed in place',
    group: 'autograd',
    actor: 'author',
    effect: 'stops',
    label: 'a tensor that backward needs was changed in place',
    apart: {
      graph_reused: 'the graph was freed',
    },
    remedies: [
      act(
        'Replace the in-place operation (x = x + y, inplace=False), or step the optimizer after all backward passes.',
        'Backward needs the old value.',
      ),
    ],
  },
  collective_mismatch: {
    title: 'The ranks called different collectives',
    group: 'ranks_apart',
    actor: 'author',
    effect: 'stops',
    label:
      'in the same turn of a group the ranks call different operations, shapes or types, or wait for each other in a circle',
    apart: {
      collective_timeout: 'the ranks call the same, and one does not arrive',
    },
    remedies: [
      act(
        'Make every rank take the same branches around collectives: no early return, no extra reduction on one rank.',
        'A collective meets only the same collective on the others.',
      ),
      act(
        'Give every rank the same number of batches (drop_last=True, or Join).',
        'A rank whose data ends early goes on to other collectives.',
      ),
      avoid('Raising the timeout, or restarting.', 'The same code takes the same way again.'),
    ],
  },
  unused_parameters: {
    title: 'Some parameters took no part in the loss under DDP',
    group: 'autograd',
    actor: 'author',
    effect: 'stops',
    label: "DDP's reducer was not finished before the next step",
    apart: {
      collective_timeout: 'the ranks wait without that message',
    },
    remedies: [
      act(
        'Use all parameters in the loss, or pass find_unused_parameters=True to DDP.',
        'The reducer waits for gradients that never come.',
      ),
      avoid('Raising the NCCL timeout.', 'It waits for something that is not made.'),
    ],
  },
  version_mismatch: {
    title: 'Installed versions or builds do not fit together',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label:
      'an argument or symbol that this version no longer or not yet has; a build without the kernel or backend',
    apart: {
      invalid_configuration: 'the argument never existed',
      missing_package: 'the module is not installed at all',
    },
    remedies: [
      act((facts) => {
        const known = ['torch', 'cuda', 'driver', 'transformers', 'numpy'].flatMap((name) =>
          facts.version(name) ? [`${name} ${facts.version(name)}`] : [],
        );
        return `Install versions that were built for each other${known.length > 0 ? ` (this run: ${known.join(', ')})` : ''}.`;
      }, 'One side is of another version than the other expects.'),
      notBatch,
    ],
  },
  missing_package: {
    title: 'A package is not installed',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label: 'a module is not installed',
    apart: {
      version_mismatch: 'the module is there and lacks a name',
    },
    remedies: [
      act(
        'Install the package in the environment that runs the job; compare `which python` there.',
        'It is not on the path of this interpreter.',
      ),
    ],
  },
  invalid_configuration: {
    title: 'A setting or argument is not accepted',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label: 'a value or a combination is refused by the library that reads it',
    apart: {
      version_mismatch: 'another version takes it',
      code_error: "the author's own code raised",
    },
    vague: true,
    remedies: [act('Correct the setting the message names.', 'The library refused it.')],
  },
  native_crash: {
    title: 'A process crashed outside of Python',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label: 'a process died of a memory fault, an illegal instruction or an assertion in compiled code',
    apart: {
      missing_rank: 'nothing says how the rank died',
      host_memory: 'the system killed the process',
      version_mismatch: 'an import or a call says which versions do not fit',
    },
    remedies: [
      act(
        'Read the innermost line of the stack (python -X faulthandler) and look at the extension that it calls.',
        'A memory fault raises no exception: only the stack tells where it was.',
      ),
      act(
        'Build or install that extension again for the versions in use, and try the step without it.',
        'Compiled code that fits another version reads and writes at wrong places.',
      ),
      avoid('Restarting only.', 'The same input crashes again.'),
    ],
  },
  code_error: {
    title: 'The training code raised an error',
    group: 'environment',
    actor: 'author',
    effect: 'stops',
    label:
      "any other exception of the author's code (AttributeError, KeyError of a model's output, a wrong number of values); silent mistakes of the loop that the curves show: `zero_grad` forgotten, training mode wrong",
    apart: {
      missing_data: 'the KeyError is of a data column',
      invalid_configuration: 'a library refused a setting',
    },
    vague: true,
    remedies: [
      act(
        "Fix the line at the end of the traceback's own frames.",
        'The first exception of the chain is the cause; later ones follow.',
      ),
      notBatch,
    ],
  },
});

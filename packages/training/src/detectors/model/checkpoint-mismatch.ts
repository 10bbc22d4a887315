/**
 * # The checkpoint does not belong to this model
 *
 * ## What
 * Keys are missing or unexpected, sizes differ, optimizer groups do not match, or the file is damaged or refused.
 *
 * ## Why
 * Another architecture or vocabulary, `module.` prefixes of a wrapped model, a file written half, a class that safe
 * loading does not allow.
 *
 * ## Example
 * `Error(s) in loading state_dict for Net: Missing key(s) in state_dict: "head.weight". size mismatch for fc.weight`.
 *
 * ## Stays silent
 * On the notice that some weights are newly initialised, which fine-tuning always prints.
 */

import { absent } from '../data/missing-data.js';
import { cutShort } from '../data/truncated-data.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const pattern =
  /loading state_dict|ignore_mismatched_sizes|objects? could not be loaded|Missing key\(s\) in state_dict|Unexpected key\(s\)|size mismatch for [\w.]+|copying a param with shape|loaded state dict (has a different number of|contains a parameter group)|invalid load key|Weights only load failed|weights_only|SafetensorError|checkpoint.*(not found|missing|corrupt|does not|incompatible)|no checkpoint found|unable to load weights|Layer count mismatch|expects \d+ variables, but received|You are trying to load a weight file|state_dict|not (a )?(valid )?(checkpoint|model identifier)/i;

export const checkpointMismatch = defineDetector({
  id: 'model/checkpoint-mismatch',
  subcause: 'checkpoint_mismatch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(view, pattern, {
      strength: 0.95,
      when: (failure) =>
        !cutShort.test(failure.text) &&
        !/Parent directory .* does not exist/.test(failure.text) &&
        // What is not there belongs to no model.
        !absent.test(failure.text),
    });
    if (said.length > 0) return said;
    return fromFailure(view, /^(UnpicklingError|KeyError|OSError|ValueError: .*shape)/, {
      strength: 0.86,
      when: (failure) =>
        failure.type !== 'FileNotFoundError' &&
        !cutShort.test(failure.text) &&
        /load_state_dict|torch\.load|load_checkpoint|load_weights|serialization\.py|ckpt\[|checkpoint\[/.test(
          pathOf(failure),
        ),
    });
  },
});

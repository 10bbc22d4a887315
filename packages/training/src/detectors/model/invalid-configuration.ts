/**
 * # A setting or argument is not accepted
 *
 * ## What
 * A library refused a value of the run's configuration before or at the beginning of training; or a path of it leads to no settings, weights or
 * folder to write to.
 *
 * ## Why
 * Settings that exclude each other, an unknown name, a value out of its span, a missing argument.
 *
 * ## Example
 * `train.py: error: argument --lr: invalid float value: '1e-3x'`, `ValueError: Invalid learning rate: -0.1`,
 * `MisconfigurationException: ...`, `omegaconf.errors.ConfigAttributeError`.
 *
 * ## Stays silent
 * For values that were computed rather than configured.
 */
import { defineDetector } from '../define.js';
import { asksEnvironment, fromFailure, fromLine, isConfiguration, pathOf } from '../shared/match.js';

const pattern =
  /MisconfigurationException|InvalidParameterError|No API key configured|api_key not configured|Parent directory .* does not exist|address already in use|EADDRINUSE|Argument\(s\) not recognized|Could not interpret \w+ identifier|round multiple of|DDP expects same model across all ranks|collective mismatch|preamble\.length|invalid device ordinal|Duplicate GPU detected|NCCL error.*invalid usage|ConfigAttributeError|ConfigKeyError|ValidationError|Invalid (learning rate|momentum|weight_decay|beta|epsilon|value for|argument|configuration)|(invalid|unknown|unsupported|unrecognized) (optimizer|scheduler|loss|activation|argument|option|choice|configuration|backend)|must be (one of|positive|greater than|between|specified|set)|requires .*to be set|is not a valid|are mutually exclusive|cannot be used (together|with)|Key '\w+' is not in struct|either .* or .* (must|should) be/i;

/** The interpreter, the shell or the parser of arguments refused: the script did not begin. */
const notStarted =
  /^\S+\.py: error: |^\S*python[\d.]*: (?:can't open file|No module named) |^\S*(?:sh|bash|slurm_script): (?:line \d+: )?\S+: (?:command not found|No such file or directory)$/;

export const invalidConfiguration = defineDetector({
  id: 'model/invalid-configuration',
  subcause: 'invalid_configuration',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const said = [
      ...fromFailure(view, pattern, { strength: 0.85, when: (failure) => failure.type !== 'OSError' }),
      ...fromFailure(view, /^(ValueError|TypeError|AssertionError)/, {
        strength: 0.84,
        when: (failure) =>
          /_validate_args|__post_init__|argparse|validate_config|check_config/.test(pathOf(failure)),
      }),
    ].slice(0, 1);
    if (said.length > 0) return said;
    const absent = fromFailure(view, /^FileNotFoundError|No such file/, {
      strength: 0.84,
      when: isConfiguration,
    });
    if (absent.length > 0) return absent;
    const unset = fromFailure(view, /^KeyError/, { strength: 0.9, when: asksEnvironment });
    if (unset.length > 0) return unset;
    const forbidden = fromFailure(view, /^PermissionError\b/, { strength: 0.74 });
    if (forbidden.length > 0) return forbidden;
    return view.failures.length > 0 ? [] : fromLine(view, notStarted, { strength: 0.88 });
  },
});

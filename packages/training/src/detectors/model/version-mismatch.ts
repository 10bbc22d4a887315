/**
 * # Installed versions or builds do not fit together
 *
 * ## What
 * An import, a symbol, a driver or a compiled kernel is of another version than its counterpart.
 *
 * ## Why
 * A wheel built for another CUDA, a driver that is too old, a renamed argument or moved name after an upgrade.
 *
 * ## Example
 * `CUDA error: no kernel image is available for execution on the device`, `undefined symbol: _ZN3c10...`,
 * `ImportError: cannot import name 'AdamW' from 'transformers'`, `Torch not compiled with CUDA enabled`.
 *
 * ## Stays silent
 * For a package that is not installed at all, and for deprecation warnings.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

const build =
  /no kernel image is available|Torch not compiled with|not compiled with CUDA|undefined symbol|GLIBC(XX)?_|NVIDIA driver on your system is too old|driver version is insufficient|CUDA driver initialization failed|forward compatibility was attempted|compiled (for|with|using) (a different|another|NumPy)|numpy\.dtype size changed|version mismatch|incompatible (version|library|architecture)|requires (\w+\s?)?([<>=]=?\s?)?v?\d[\w.]* .*but (found|you have|got)|is required for a normal functioning|libcu\w+\.so|libnccl|libcudart|cannot open shared object file|not a supported wheel|ABI|operator \S+::\S+ does not exist|Couldn't load custom C\+\+ ops|any variant of untagged enum|[Uu]nsupported (?:\w+ ){0,3}(?:version|protocol|opset)\b|VersionConflict|changed the default value of the `weights_only`|Attempting to deserialize object on a CUDA device but/;
const moved =
  /cannot import name|module '[\w.]+' has no attribute|got an unexpected keyword argument|has been (removed|renamed) (in|from)|was removed in|no longer supported|DeprecatedError|takes .* positional arguments? but/i;

export const versionMismatch = defineDetector({
  id: 'model/version-mismatch',
  subcause: 'version_mismatch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const built = fromFailure(view, build, { strength: 0.94 });
    if (built.length > 0) return built;
    // The `forward` of a model is its author's own: its arguments do not come and go with a version.
    return fromFailure(view, moved, {
      strength: 0.86,
      when: (failure) => !/\bforward\(\) (got an unexpected|takes)/.test(failure.text),
    });
  },
});

/**
 * # Too many files are open
 *
 * ## What
 * The process reached its limit of file descriptors.
 *
 * ## Why
 * Tensors shared between workers cost a descriptor each under the default sharing strategy; so do files never closed.
 *
 * ## Example
 * `OSError: [Errno 24] Too many open files`, `RuntimeError: received 0 items of ancdata`.
 *
 * ## Stays silent
 * When the message is only a warning of a run that went on.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

export const openFiles = defineDetector({
  id: 'platform/open-files',
  subcause: 'open_files',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(
      view,
      /Too many open files|Errno 24\b|received \d+ items of ancdata|can't start new thread|Resource temporarily unavailable/i,
      {
        strength: 0.95,
      },
    ),
});

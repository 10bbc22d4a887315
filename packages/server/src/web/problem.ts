// What a request may be refused for: a status, a line that says why, and one that says what to do.
import { GrusError } from '@grus/core';

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 411 | 413 | 415 | 422 | 429 | 503;

export class Problem extends GrusError {
  override readonly name = 'Problem';

  constructor(
    readonly status: ProblemStatus,
    message: string,
    advice: string,
  ) {
    super(message, { advice });
  }
}

const checkName = 'Check the name, and that your token is of its project.';

export function notFound(what: string): Problem {
  return new Problem(404, `there is no such ${what}`, checkName);
}

export function noProject(): Problem {
  const making = 'An admin makes one with its first token: grus server token --help';
  return new Problem(404, 'there is no such project', `${checkName} ${making}`);
}

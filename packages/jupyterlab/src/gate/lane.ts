// The cells that wait for one kernel. Each is checked when its predecessor has finished. When one fails or is not run, those
// that were waiting behind it are dropped, as a kernel drops what was queued behind a failure.

export interface Job {
  /** Checks and runs the cell; false when it did not run through. */
  run(): Promise<boolean>;
  /** Called instead, when an earlier cell failed. */
  drop(): void;
  /** Whether it is seen to have failed by now: the end of a run comes later than its error. */
  hasFailed(): boolean;
}

export class Lane {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #generation = 0;
  #letGo: (() => void) | null = null;
  #current: Job | null = null;

  /** Whether a cell that is added begins at once. */
  get free(): boolean {
    return this.#waiting === 0;
  }

  /** A free lane begins with the job before this returns. */
  add(job: Job): Promise<boolean> {
    if (this.#letGo !== null) {
      // Somebody went on working while a cell was held: it and what waits behind it are not run.
      this.#generation += 1;
      this.#letGo();
    } else if (this.#current?.hasFailed()) {
      // Somebody saw the error and goes on: only what was waiting before is dropped.
      this.#generation += 1;
    }
    const generation = this.#generation;
    const atOnce = this.free;
    this.#waiting += 1;
    const turn = atOnce ? this.#begin(job, generation) : this.#tail.then(() => this.#begin(job, generation));
    this.#tail = turn
      .catch(() => undefined)
      .then(() => {
        this.#waiting -= 1;
      });
    return turn;
  }

  async #begin(job: Job, generation: number): Promise<boolean> {
    if (generation !== this.#generation) {
      job.drop();
      return false;
    }
    let ran = false;
    this.#current = job;
    try {
      ran = await job.run();
    } finally {
      this.#current = null;
      if (!ran && generation === this.#generation) this.#generation += 1;
    }
    return ran;
  }

  /** Waits for an answer, or for somebody to go on without giving one. */
  async hold<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
    const letGo = new Promise<Answer>((resolve) => {
      this.#letGo = () => resolve(otherwise);
    });
    try {
      return await Promise.race([answer, letGo]);
    } finally {
      this.#letGo = null;
    }
  }

  /** The kernel was restarted or interrupted: nothing that waits is run. */
  clear(): void {
    this.#generation += 1;
    this.#letGo?.();
  }
}

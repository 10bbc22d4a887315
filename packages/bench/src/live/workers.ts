// Does a list of jobs with a few workers at a time and keeps the results in the order of the jobs.

export async function inParallel<Job, Result>(
  jobs: readonly Job[],
  workers: number,
  work: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(jobs.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < jobs.length; index = next++) results[index] = await work(jobs[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, worker));
  return results;
}

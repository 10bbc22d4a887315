// The queue of diagnoses, kept by pg-boss in the same database: a run and its job are written together or not at all.
import PgBoss from 'pg-boss';
import type { Connection, Database } from '../store/database.js';

/** What is to be judged: these files of this run. */
export interface DiagnosisJob {
  readonly run: string;
  readonly digest: string;
}

export interface TakenJob extends DiagnosisJob {
  readonly id: string;
}

export interface TakenNotification {
  readonly id: string;
  readonly notification: string;
}

/** What is to be told. */
export interface NotifyQueue {
  add(notification: string, connection: Connection): Promise<void>;
  take(): Promise<TakenNotification | null>;
  done(job: TakenNotification, connection: Connection): Promise<void>;
  /** It is tried again, later each time. */
  failed(job: TakenNotification, reason: string): Promise<void>;
}

export interface TakenCheck {
  readonly id: string;
  readonly check: string;
}

/** Notebooks to judge. */
export interface CheckQueue {
  add(check: string, connection: Connection): Promise<void>;
  take(): Promise<TakenCheck | null>;
  takeGivenUp(): Promise<TakenCheck | null>;
  done(job: TakenCheck, connection: Connection): Promise<void>;
  buried(job: TakenCheck, connection: Connection): Promise<void>;
  /** It is tried again, a bounded number of times. */
  failed(job: TakenCheck, reason: string): Promise<void>;
}

export interface Queue {
  readonly notifications: NotifyQueue;
  readonly checks: CheckQueue;
  add(job: DiagnosisJob, connection: Connection): Promise<void>;
  /** The next job, or null when there is none now. */
  take(): Promise<TakenJob | null>;
  /** A job that used up its tries. */
  takeGivenUp(): Promise<TakenJob | null>;
  done(job: TakenJob, connection: Connection): Promise<void>;
  buried(job: TakenJob, connection: Connection): Promise<void>;
  /** It is tried again, a bounded number of times. */
  failed(job: TakenJob, reason: string): Promise<void>;
  /** Jobs that wait or are worked at. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

const diagnoses = 'diagnose';
const givenUp = 'diagnose-given-up';
const tries = 3;
const checks = 'check';
const checksGivenUp = 'check-given-up';
/** After so long a notebook is given to another worker. */
export const checkSeconds = 900;
const notifications = 'notify';
/** The bound of the one who sends is lower. */
const notifyRetries = { retryLimit: 20, retryDelay: 2, retryBackoff: true };
const notifySeconds = 60;

/** `silentAfter`: seconds after which a job whose worker is silent is given to another. */
export async function openQueue(database: Database, silentAfter: number): Promise<Queue> {
  const boss = new PgBoss({
    db: sqlOf(database),
    schema: 'queue',
    schedule: false,
    maintenanceIntervalSeconds: Math.max(1, Math.min(30, Math.round(silentAfter / 5))),
  });
  // The database was away for a moment: the next look finds it again.
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(givenUp);
  const options = { name: diagnoses, retryLimit: tries - 1, retryDelay: 0, deadLetter: givenUp };
  await boss.createQueue(diagnoses, options);
  await boss.createQueue(checksGivenUp);
  const checkOptions = { name: checks, retryLimit: tries - 1, retryDelay: 0, deadLetter: checksGivenUp };
  await boss.createQueue(checks, checkOptions);
  await boss.createQueue(notifications, { name: notifications, ...notifyRetries });
  const take = async (name: string): Promise<TakenJob | null> => {
    const [job] = await boss.fetch<DiagnosisJob>(name);
    return job === undefined ? null : { id: job.id, ...job.data };
  };
  const takeCheck = async (name: string): Promise<TakenCheck | null> => {
    const [job] = await boss.fetch<{ check: string }>(name);
    return job === undefined ? null : { id: job.id, ...job.data };
  };
  return {
    notifications: {
      add: async (notification, connection) =>
        void (await boss.send(
          notifications,
          { notification },
          { db: sqlOf(connection), expireInSeconds: notifySeconds },
        )),
      take: async () => {
        const [job] = await boss.fetch<{ notification: string }>(notifications);
        return job === undefined ? null : { id: job.id, ...job.data };
      },
      done: (job, connection) => boss.complete(notifications, job.id, {}, { db: sqlOf(connection) }),
      failed: async (job, reason) => void (await boss.fail(notifications, job.id, { reason })),
    },
    checks: {
      add: async (check, connection) =>
        void (await boss.send(checks, { check }, { db: sqlOf(connection), expireInSeconds: checkSeconds })),
      take: () => takeCheck(checks),
      takeGivenUp: () => takeCheck(checksGivenUp),
      done: (job, connection) => boss.complete(checks, job.id, {}, { db: sqlOf(connection) }),
      buried: (job, connection) => boss.complete(checksGivenUp, job.id, {}, { db: sqlOf(connection) }),
      failed: async (job, reason) => void (await boss.fail(checks, job.id, { reason })),
    },
    add: async (job, connection) =>
      void (await boss.send(diagnoses, job, {
        db: sqlOf(connection),
        expireInSeconds: silentAfter,
      })),
    take: () => take(diagnoses),
    takeGivenUp: () => take(givenUp),
    done: (job, connection) => boss.complete(diagnoses, job.id, {}, { db: sqlOf(connection) }),
    buried: (job, connection) => boss.complete(givenUp, job.id, {}, { db: sqlOf(connection) }),
    failed: async (job, reason) => void (await boss.fail(diagnoses, job.id, { reason })),
    waiting: () => boss.getQueueSize(diagnoses, { before: 'completed' }),
    close: () => boss.stop({ graceful: false, wait: true, close: false }),
  };
}

function sqlOf(connection: Connection): PgBoss.Db {
  return {
    executeSql: async (text, values) => ({ rows: await connection.query(text, values ?? []) }),
  };
}

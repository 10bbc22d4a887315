// A real PostgreSQL, for a team and for workers on other machines.
import { GrusError } from '@grus/core';
import pg from 'pg';
import type { Connection, Database } from './database.js';

const mostConnections = 10;

export async function openPostgres(address: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: address,
    max: mostConnections,
    connectionTimeoutMillis: 10_000,
    application_name: 'grus',
  });
  // A connection that breaks while nobody uses it is replaced; whoever uses one is told by its query.
  pool.on('error', () => undefined);
  await pool.query('select 1').catch(async (cause: unknown) => {
    await pool.end();
    throw new GrusError(`the database cannot be reached: ${(cause as Error).message}`, {
      advice: 'Check --database: postgres://USER:PASSWORD@HOST:PORT/NAME, and that the server accepts you.',
      cause,
    });
  });
  return {
    kind: 'postgres',
    ...connectionOf(pool),
    script: async (sql) => void (await pool.query(sql)),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}

function connectionOf(client: pg.Pool | pg.PoolClient): Connection {
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) => {
      // A text without values may be several statements, which are answered one by one.
      const answer = await (values.length > 0 ? client.query(sql, [...values]) : client.query(sql));
      const answers: readonly pg.QueryResult[] = Array.isArray(answer) ? answer : [answer];
      return (answers.findLast(({ fields }) => fields.length > 0)?.rows ?? []) as Row[];
    },
  };
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('begin');
    const result = await work(connectionOf(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

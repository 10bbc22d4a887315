// The one way to the database: the same SQL goes to Postgres in this process (PGlite) and to a real one.

export interface Connection {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Connection {
  readonly kind: 'pglite' | 'postgres';
  /** Several statements without values. */
  script(sql: string): Promise<void>;
  /** All of it or nothing. */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

// What whoever watches a run warned of while it went on; and which run names a file, asked whenever a growing file is replaced.

export const warnings = `
create table warnings (
  run_id uuid not null references runs (id) on delete cascade,
  warning text not null,
  given timestamptz not null,
  told jsonb not null,
  primary key (run_id, warning, given)
);
create index runs_by_file on runs using gin (files jsonb_path_ops);
`;

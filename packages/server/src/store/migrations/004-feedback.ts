// What people say a run really had.

export const feedback = `
create table feedback (
  run_id uuid primary key references runs (id) on delete cascade,
  -- Of the files that they spoke of.
  digest text not null,
  category text not null,
  subcause text,
  said_by text not null,
  said timestamptz not null default now()
);
`;

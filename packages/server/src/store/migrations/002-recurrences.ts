// What people decided about failures that come again.

export const recurrences = `
create table recurrences (
  project_id uuid not null references projects (id) on delete cascade,
  fingerprint text not null,
  muted boolean not null default false,
  assignee text,
  primary key (project_id, fingerprint)
);
`;

// Counts of causes and recurrences are read from an index alone, however large the runs beside them are.

export const failures = `
create index runs_failed on runs (project_id, created) include (node, framework, person, category, subcause, gpu_hours)
  where outcome in ('failed', 'degraded');
create index runs_recurring on runs (project_id, fingerprint, updated desc) include (created, node, subcause, gpu_hours)
  where fingerprint is not null;
`;

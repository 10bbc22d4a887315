// A list that is narrowed to one outcome, node or state is read from its end, not sorted.

export const lists = `
create index runs_by_outcome on runs (project_id, outcome, updated desc, id desc);
create index runs_by_node on runs (project_id, node, updated desc, id desc);
create index runs_by_state on runs (project_id, state, updated desc, id desc);
`;

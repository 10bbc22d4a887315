// What the kernel agent is asked: everything one target cell needs, in one request; later rounds may ask small questions.
import type { Literal } from './schema.js';

/** A question of a later round. `path` is a global name or a dotted path that is followed statically. */
export type Question =
  /** Describe the object at `path`; the answer's `object` refers to it. */
  | { readonly id: string; readonly ask: 'describe'; readonly path: string }
  /** Does the plain dict at `path` hold the key `value`? */
  | { readonly id: string; readonly ask: 'has_key'; readonly path: string; readonly value: Literal }
  /** Does the index of the frame or series (or the index itself) at `path` hold the label `value`? */
  | { readonly id: string; readonly ask: 'has_label'; readonly path: string; readonly value: Literal }
  /** Value facts of one column of a frame, from a larger sample; the answer's `values` holds them. */
  | { readonly id: string; readonly ask: 'column'; readonly path: string; readonly value: Literal }
  /** Would the loaded scikit-learn class named `path` accept these parameters, given as [name, value] pairs? */
  | { readonly id: string; readonly ask: 'parameters'; readonly path: string; readonly value: Literal }
  /** Does the class `path` of a loaded library ("pandas.DataFrame") have the attribute `value` by now? */
  | { readonly id: string; readonly ask: 'class_attribute'; readonly path: string; readonly value: string }
  /** Does the installed Keras know the name `value` in `path` ("keras.activations")? siblings are near misses. */
  | { readonly id: string; readonly ask: 'option'; readonly path: string; readonly value: string }
  /** Does the file or folder named `path` exist? `because` says what it is; siblings are near misses beside it. */
  | { readonly id: string; readonly ask: 'file'; readonly path: string }
  /** Is there a program of the name `path` on the search path? */
  | { readonly id: string; readonly ask: 'executable'; readonly path: string }
  /** Would importing the module `path` find it, or (with `value`) would it hold that name? */
  | { readonly id: string; readonly ask: 'import'; readonly path: string; readonly value: string | null };

export interface SnapshotRequest {
  /** Global names that the cell loads. */
  readonly names: readonly string[];
  /** Dotted attribute paths loaded on those names ("np.float", "model.fc1.in_features"), resolved statically. */
  readonly paths: readonly string[];
  /** Modules the cell imports, with the names it takes from each; an empty list for a plain `import`. */
  readonly imports: readonly { readonly module: string; readonly names: readonly string[] }[];
  /** Constant file paths that the cell reads. */
  readonly files: readonly string[];
  /** How many calls deep the user's own functions are followed for the names they load. */
  readonly depth: number;
  /** Hard limits for the agent inside the live process. */
  readonly budget: { readonly ms: number; readonly bytes: number };
  /** String constants of the cell: columns of these names are the first whose values are looked at. */
  readonly labels?: readonly string[];
  /** Source of the cell; the snapshot's `compile` says whether it compiles in this Python. */
  readonly compile?: string;
  /** Whether to list the cells that this session has run. */
  readonly cells?: boolean;
  /** Whether to tell what runs in the kernel between cells. */
  readonly background?: boolean;
  readonly questions?: readonly Question[];
  /** Questions to the libraries that are likely to follow. Where the agent answers in place, a copy gets ready for them. */
  readonly expects?: ExpectedInquiry;
}

export interface ExpectedInquiry {
  /** What the questions will go by. */
  readonly check: string;
  /** Global names that they will be about. */
  readonly about: readonly string[];
  readonly budget_ms: number;
  readonly cpu_ms: number;
}

/** A request that asks for nothing, to be spread over. */
export const emptyRequest: SnapshotRequest = {
  names: [],
  paths: [],
  imports: [],
  files: [],
  depth: 3,
  budget: { ms: 150, bytes: 400_000 },
};

/** The request as the agent takes it: plain JSON, duplicates removed, deterministic. */
export function completeRequest(request: SnapshotRequest): Record<string, unknown> {
  return {
    ...request,
    names: [...new Set(request.names)],
    paths: [...new Set(request.paths)],
    files: [...new Set(request.files)],
  };
}

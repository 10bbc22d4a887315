// What the kernel agent is asked: everything one target cell needs, in one request.

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
}

// What many ask of the same run is worked out once.

/** The same function, which keeps its answer as long as what it was asked about is there. */
export function once<Asked extends object, Answer>(find: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const known = new WeakMap<Asked, { readonly answer: Answer }>();
  return (asked) => {
    const entry = known.get(asked) ?? { answer: find(asked) };
    known.set(asked, entry);
    return entry.answer;
  };
}

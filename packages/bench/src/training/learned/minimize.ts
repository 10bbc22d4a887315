// Limited-memory BFGS with backtracking: the minimiser behind logistic regression.

/** Returns the value and writes the gradient. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimizeOptions {
  readonly iterations?: number;
  /** Stop when no component of the gradient exceeds this; the default is that of scikit-learn. */
  readonly tolerance?: number;
}

const memory = 10;

export function minimize(
  objective: Objective,
  start: Float64Array,
  { iterations = 500, tolerance = 1e-4 }: MinimizeOptions = {},
): Float64Array {
  let point = Float64Array.from(start);
  let gradient = new Float64Array(point.length);
  let value = objective(point, gradient);
  const steps: Float64Array[] = [];
  const changes: Float64Array[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    if (gradient.every((component) => Math.abs(component) <= tolerance)) break;
    const direction = descentDirection(gradient, steps, changes);
    const slope = dot(direction, gradient);
    let size = steps.length === 0 ? 1 / Math.max(1, norm(gradient)) : 1;
    let accepted = false;
    for (let attempt = 0; attempt < 40 && !accepted; attempt++, size /= 2) {
      const next = point.map((component, index) => component + size * direction[index]!);
      const nextGradient = new Float64Array(point.length);
      const nextValue = objective(next, nextGradient);
      if (!(nextValue <= value + 1e-4 * size * slope)) continue;
      accepted = true;
      remember(
        steps,
        next.map((component, index) => component - point[index]!),
      );
      remember(
        changes,
        nextGradient.map((component, index) => component - gradient[index]!),
      );
      point = next;
      gradient = nextGradient;
      value = nextValue;
    }
    if (!accepted) break;
  }
  return point;
}

/** The two-loop recursion: minus an estimate of the inverse Hessian times the gradient. */
function descentDirection(
  gradient: Float64Array,
  steps: readonly Float64Array[],
  changes: readonly Float64Array[],
): Float64Array {
  const direction = gradient.map((component) => -component);
  const factors: number[] = [];
  for (let index = steps.length - 1; index >= 0; index--) {
    const curvature = dot(steps[index]!, changes[index]!);
    factors[index] = curvature > 0 ? dot(steps[index]!, direction) / curvature : 0;
    addScaled(direction, changes[index]!, -factors[index]!);
  }
  const last = steps.length - 1;
  if (last >= 0) {
    const scale = dot(steps[last]!, changes[last]!) / dot(changes[last]!, changes[last]!);
    if (scale > 0) for (let index = 0; index < direction.length; index++) direction[index]! *= scale;
  }
  for (let index = 0; index < steps.length; index++) {
    const curvature = dot(steps[index]!, changes[index]!);
    if (curvature <= 0) continue;
    addScaled(direction, steps[index]!, factors[index]! - dot(changes[index]!, direction) / curvature);
  }
  return direction;
}

function remember(list: Float64Array[], vector: Float64Array): void {
  list.push(vector);
  if (list.length > memory) list.shift();
}

function addScaled(into: Float64Array, vector: Float64Array, scale: number): void {
  for (let index = 0; index < into.length; index++) into[index]! += scale * vector[index]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector));
}

// How much growth of memory means something, named once for all who ask: the confirmations, the rules, the detectors. Each is the
// relative growth over the last three quarters of a run, with the steadiness (Kendall tau) and the points it takes.

export interface Growth {
  readonly growth: number;
  readonly steadiness: number;
  readonly points: number;
}

export const memoryGrowth = {
  /** Makes a cause that was found otherwise more likely. */
  confirming: 0.1,
  /** Beside an out-of-memory message, which says already that memory was the end. */
  beforeTheEnd: { growth: 0.15, steadiness: 0.8, points: 8 },
  /** Beside a kill that nothing else explains. */
  beforeAKill: { growth: 0.3, steadiness: 0.8, points: 6 },
  /** A leak on the device by itself, with nothing that ended the run. */
  leak: { growth: 0.3, steadiness: 0.9, points: 12 },
  /** Growth of the host's memory by itself: caches fill up in healthy runs too, so it takes twice as much. */
  hostLeak: { growth: 1, steadiness: 0.95, points: 20 },
  /** Less of it counts when it rose with every single point of many. */
  unceasingHostLeak: { growth: 0.5, steadiness: 0.99, points: 60 },
} as const;

/** Whether a curve grew by so much, so steadily, over so many points. */
export function grew(found: Growth, limits: Growth): boolean {
  return (
    found.growth >= limits.growth && found.steadiness >= limits.steadiness && found.points >= limits.points
  );
}

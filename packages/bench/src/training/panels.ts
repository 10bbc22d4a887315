// The six panels of a run, thinned so that a page can hold those of all runs.
import type { Panel } from '@grus/training';
import type { TrainingCase } from './data/case.js';

export interface PanelData {
  readonly instance: string;
  readonly category: string;
  readonly subcause: string | null;
  readonly onset: number | null;
  readonly panels: readonly {
    readonly title: string;
    readonly curves: readonly {
      readonly label: string;
      readonly points: readonly (readonly [number, number | null])[];
    }[];
  }[];
}

const mostPoints = 48;

export function panelDataOf(entry: TrainingCase, panels: readonly Panel[]): PanelData {
  return {
    instance: entry.id,
    category: entry.category,
    subcause: entry.subcause,
    onset: entry.onsetStep,
    panels: panels.map((panel) => ({
      title: panel.unit ? `${panel.title} (${panel.unit})` : panel.title,
      curves: panel.curves.map(({ label, steps, values }) => {
        const stride = Math.max(1, Math.ceil(steps.length / mostPoints));
        return {
          label,
          points: steps.flatMap((step, index) =>
            index % stride === 0 || index === steps.length - 1
              ? [[step, shortened(values[index]!)] as const]
              : [],
          ),
        };
      }),
    })),
  };
}

function shortened(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
}

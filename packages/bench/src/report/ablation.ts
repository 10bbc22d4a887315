// The report of the ablation for terminals: one line a group of rules, and what nothing missed.
import { type AblationReport, ablationData, type Effect } from '../ablation/run.js';
import { renderTable } from './table.js';

const effects: readonly Effect[] = ['lost', 'changed', 'gained', 'alarm'];

export function renderAblation({ instances, rules, differences }: AblationReport): string {
  const groups = [...new Set(Object.values(rules).map(({ group }) => group))].sort();
  const of = (group: string, data: string, effect: Effect) =>
    differences.filter((each) => each.off === group && each.data === data && each.effect === effect).length;
  const rows = groups.map((group) => {
    const own = Object.entries(rules).filter(([, rule]) => rule.group === group);
    const missed = own.filter(([name]) => differences.some(({ off }) => off === name));
    const counts = ablationData.map((data) =>
      effects
        .map((effect) => [effect, of(group, data, effect)] as const)
        .filter(([, count]) => count > 0)
        .map(([effect, count]) => `${count} ${effect}`)
        .join(', '),
    );
    const used = own.filter(([, rule]) => Object.values(rule.answered).some((count) => count > 0));
    return [group, String(own.length), String(used.length), String(missed.length), ...counts];
  });
  return [
    `Without each group of rules: ${instances.live} live states with a copy, ${instances['no-copy']} without, ${instances.junobench} recorded ones`,
    renderTable(
      ['group', 'rules', 'answered', 'missed', 'live, with a copy', 'live, without', 'JunoBench'],
      rows,
    ),
  ].join('\n\n');
}

// A line that counts a step and tells its loss is a point of a curve, whatever else it repeats: `step=3 loss=2.1 learning_rate=0.1`.

const counted = /\b(step|iter(ation)?|epoch|batch|update|it)\b\W{0,4}\d|\[ *\d+ *(?:\/ *\d+ *)?\]|\d%\|/i;
const lost = /loss\b['"]?\s*[:=]?\s*['"]?([-+]?\d|nan\b|[-+]?inf\b)/i;
const stated = /namespace\(|config|\bargs\b|arguments|hparams|hyperparam/i;

export function isStepLine(text: string): boolean {
  return counted.test(text) && lost.test(text) && !stated.test(text);
}

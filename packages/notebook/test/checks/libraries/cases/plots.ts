// matplotlib and seaborn: lengths, images, grids, styles and columns.
import type { CheckCase } from './case.js';

const setup = `
import matplotlib
matplotlib.use('agg')
import matplotlib.pyplot as plt
import numpy as np, pandas as pd
import seaborn as sns
losses = [0.5, 0.4, 0.3]
df = pd.DataFrame({'age': [1.0, 2.0, 3.0], 'kind': ['a', 'b', 'a']})
image = np.zeros((3, 24, 24))
`;

export const plots: readonly CheckCase[] = [
  {
    check: 'plots/length-mismatch',
    name: 'plot',
    setup,
    crash: 'plt.figure()\nplt.plot(range(4), losses)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'plt.plot(range(3), losses)',
      'plt.plot(losses, "r-")',
      'losses.append(1)\nplt.plot(range(4), losses)',
    ],
  },
  {
    check: 'plots/length-mismatch',
    name: 'scatter on axes',
    setup,
    crash: 'fig, ax = plt.subplots()\nax.scatter(df["age"], losses[:2])',
    raises: 'ValueError',
    line: 2,
    healthy: 'fig, ax = plt.subplots()\nax.scatter(df["age"], losses)',
  },
  {
    check: 'plots/length-mismatch',
    name: 'bars',
    setup,
    crash: 'plt.bar(["a", "b"], losses)',
    raises: 'ValueError',
    line: 1,
    healthy: ['plt.bar(["a", "b", "c"], losses)', 'plt.bar(["a"], losses[:1])'],
  },
  {
    check: 'plots/length-mismatch',
    name: 'colours',
    setup,
    crash: 'plt.scatter(range(6), range(6), c=range(5))',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'plt.scatter(range(6), range(6), c=range(6))',
      'plt.scatter(range(6), range(6), c=[0.1, 0.2, 0.3])',
      'plt.scatter(range(6), range(6), c="red", s=[20])',
    ],
  },
  {
    check: 'plots/length-mismatch',
    name: 'labels of a pie',
    setup,
    crash: 'plt.pie(losses, labels=["a", "b"])',
    raises: 'ValueError',
    line: 1,
    healthy: ['plt.pie(losses, labels=["a", "b", "c"])', 'plt.pie(losses, colors=["r", "g"])'],
  },
  {
    check: 'plots/length-mismatch',
    name: 'error bars',
    setup,
    crash: 'plt.errorbar(range(3), losses, yerr=[0.1, 0.2])',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'plt.errorbar(range(3), losses, yerr=[0.1, 0.2, 0.1])',
      'plt.errorbar(range(3), losses, yerr=0.1)',
    ],
  },
  {
    check: 'plots/image-shape',
    setup,
    crash: 'plt.imshow(image)',
    raises: 'TypeError',
    line: 1,
    healthy: [
      'plt.imshow(image[0])',
      'plt.imshow(image.transpose(1, 2, 0))',
      'plt.imshow(image[:1].transpose(1, 2, 0))',
    ],
  },
  {
    check: 'plots/subplot-position',
    setup,
    crash: 'for i in range(4):\n    plt.subplot(2, 2, i)',
    raises: 'ValueError',
    line: 2,
    healthy: ['for i in range(4):\n    plt.subplot(2, 2, i + 1)', 'plt.subplot(224)'],
  },
  {
    check: 'plots/unknown-style',
    name: 'a colour',
    setup,
    crash: 'plt.plot(losses, color="bleu")',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'plt.plot(losses, color="blue")',
      'plt.plot(losses, color="C3")',
      'plt.plot(losses, color="Light Blue".replace(" ", ""))',
      'plt.plot(losses, color="0.5", marker="$x$", linestyle="--")',
    ],
  },
  {
    check: 'plots/unknown-style',
    name: 'a marker',
    setup,
    crash: 'plt.scatter(losses, losses, marker="circle")',
    raises: 'ValueError',
    line: 1,
    healthy: 'plt.scatter(losses, losses, marker="o")',
  },
  {
    check: 'plots/unknown-style',
    name: 'a style sheet',
    setup,
    crash: 'plt.style.use("seaborn-whitegrid")',
    raises: 'OSError',
    line: 1,
    healthy: ['plt.style.use("seaborn-v0_8-whitegrid")', 'plt.style.use("ggplot")'],
  },
  {
    check: 'plots/missing-plot-column',
    setup,
    crash: 'sns.histplot(data=df, x="Age")',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'sns.histplot(data=df, x="age")',
      'df["Age"] = df["age"]\nsns.histplot(data=df, x="Age")',
      'sns.histplot(data=df.rename_axis("row"), x="row")',
    ],
  },
  {
    check: 'plots/missing-plot-column',
    name: 'hue',
    setup,
    crash: 'sns.boxplot(df, x="kind", y="age", hue="sex")',
    raises: 'ValueError',
    line: 1,
    healthy: 'sns.boxplot(df, x="kind", y="age", hue="kind")',
  },
  {
    check: 'plots/missing-plot-column',
    name: 'style',
    setup,
    crash: 'sns.scatterplot(df, x="age", y="age", style="sex")',
    raises: 'ValueError',
    line: 1,
    healthy: 'sns.scatterplot(df, x="age", y="age", style="kind", size="age")',
  },
  {
    check: 'plots/unknown-kind',
    setup,
    crash: 'df["age"].plot(kind="donut")',
    raises: 'ValueError',
    line: 1,
    healthy: ['df["age"].plot(kind="pie")', 'df.plot(kind="line")'],
  },
];

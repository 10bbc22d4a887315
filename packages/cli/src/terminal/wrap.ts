// Wraps prose to a width, with a label in front of the first line and the same indent below it.

export function labelled(label: string, text: string, width: number): string {
  const indent = ' '.repeat(label.length);
  const lines = wrap(text, Math.max(20, width - label.length));
  return lines.map((line, index) => `${index === 0 ? label : indent}${line}`).join('\n');
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

// Text in lines of a width.

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    for (const piece of pieces(word, width)) {
      if (line !== '' && line.length + 1 + piece.length > width) {
        lines.push(line);
        line = piece;
      } else line = line === '' ? piece : `${line} ${piece}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  return Array.from({ length: Math.ceil(word.length / width) }, (_, index) =>
    word.slice(index * width, (index + 1) * width),
  );
}

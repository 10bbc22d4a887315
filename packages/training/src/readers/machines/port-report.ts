// What `ibstat` and `perfquery` print of the ports of a host's network adapters. A port is judged by those beside it: one that runs slower
// than all others of its kind, or that alone counts errors.
import type { FileRecord } from '../collect/file-record.js';
import { defineReader, wholeFile } from '../reader.js';

const largest = 4 * 1024 * 1024;
const fewestOthers = 3;
/** A counter that is stuck at its end, or that no cable which is plugged in once reaches. */
const manyErrors = 100;

interface Port {
  /** As the report heads it. */
  readonly name: string;
  readonly line: number;
  readonly fields: Map<string, string>;
}

export const portReport = defineReader({
  id: 'port-report',
  title: 'ibstat or perfquery',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) =>
    /^CA '\S+'\s*\r?\n\s+CA type:/m.test(text.slice(0, 4000)) || /^SymbolErrorCounter:\.+\d/m.test(text),
  open: (record) =>
    wholeFile(record, largest, (text) => {
      const ports = portsOf(text);
      for (const { name, line, fields } of ports)
        if (fields.get('State') === 'Active' && fields.has('Rate'))
          record.text.addNotable(
            {
              text: `port ${name} ${fields.get('Rate')} Gb/s`,
              line,
              rank: null,
              time: null,
              step: null,
              stream: null,
            },
            false,
          );
      report(record, slowerIn(ports), 'port_slow', 'Rate');
      report(record, failingIn(ports), 'port_errors', 'SymbolErrorCounter');
    }),
});

function portsOf(text: string): Port[] {
  const ports: Port[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const heading = /^CA '(\S+)'\s*$/.exec(line) ?? /^#+ ?(.*\bport \d+.*)$/i.exec(line);
    if (heading) ports.push({ name: heading[1]!, line: index + 1, fields: new Map() });
    const field = /^\s*([A-Za-z][\w ]*?):[.\s]*(\S.*)$/.exec(line);
    if (field && !heading) ports.at(-1)?.fields.set(field[1]!, field[2]!.trim());
  }
  return ports;
}

function slowerIn(ports: readonly Port[]): Port | null {
  const active = ports.filter(({ fields }) => fields.get('State') === 'Active' && fields.has('Rate'));
  const kinds = new Set(active.map(({ fields }) => fields.get('CA type')));
  for (const kind of kinds) {
    const alike = active.filter(({ fields }) => fields.get('CA type') === kind);
    const rates = alike.map(({ fields }) => Number(fields.get('Rate')));
    const most = Math.max(...rates);
    const slow = alike.filter((_, at) => rates[at]! < most);
    if (slow.length === 1 && alike.length > fewestOthers) return slow[0]!;
  }
  return null;
}

function failingIn(ports: readonly Port[]): Port | null {
  const counting = ports.filter(({ fields }) => fields.has('SymbolErrorCounter'));
  const [one, ...more] = counting.filter(
    ({ fields }) => Number(fields.get('SymbolErrorCounter')) >= manyErrors,
  );
  const others = counting.filter((port) => port !== one);
  return one && more.length === 0 && others.length >= fewestOthers ? one : null;
}

function report(
  record: FileRecord,
  port: Port | null,
  kind: 'port_slow' | 'port_errors',
  field: string,
): void {
  if (port === null) return;
  record.deviceMessage({
    kind,
    code: null,
    text: `${port.name}: ${field} ${port.fields.get(field)}`,
    at: record.at(port.line),
    rank: null,
    time: null,
    step: null,
    count: 1,
  });
}

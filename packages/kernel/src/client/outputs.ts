// Turns the iopub messages of one execution into the outputs that a notebook file holds.
import type { IOutput, MultilineString } from '@jupyterlab/nbformat';
import type { Message } from '../protocol/message.js';

type Stream = { output_type: 'stream'; name: string; text: string };

export class OutputCollector {
  readonly outputs: IOutput[] = [];
  private clearPending = false;
  private readonly displays = new Map<string, IOutput[]>();

  constructor(private readonly onOutput?: (output: IOutput) => void) {}

  add(message: Message): void {
    const { content } = message;
    const type = message.header.msg_type;
    switch (type) {
      case 'stream':
        this.append({
          output_type: 'stream',
          name: String(content['name']),
          text: content['text'] as MultilineString,
        });
        break;
      case 'display_data':
      case 'execute_result':
        this.appendDisplay(message);
        break;
      case 'update_display_data':
        this.updateDisplay(message);
        break;
      case 'error':
        this.append({
          output_type: 'error',
          ename: String(content['ename']),
          evalue: String(content['evalue']),
          traceback: content['traceback'] as string[],
        });
        break;
      case 'clear_output':
        if (content['wait'] === true) {
          this.clearPending = true;
        } else {
          this.clear();
        }
        break;
    }
  }

  private appendDisplay(message: Message): void {
    const { content } = message;
    const result = message.header.msg_type === 'execute_result';
    const output: IOutput = {
      output_type: result ? 'execute_result' : 'display_data',
      data: content['data'],
      metadata: content['metadata'] ?? {},
      ...(result ? { execution_count: content['execution_count'] } : {}),
    } as IOutput;
    this.append(output);
    const id = displayId(message);
    if (id !== undefined) {
      this.displays.set(id, [...(this.displays.get(id) ?? []), output]);
    }
  }

  private updateDisplay(message: Message): void {
    const id = displayId(message);
    for (const output of id === undefined ? [] : (this.displays.get(id) ?? [])) {
      output['data'] = message.content['data'] as never;
      output['metadata'] = (message.content['metadata'] ?? {}) as never;
    }
  }

  private append(output: IOutput): void {
    if (this.clearPending) {
      this.clear();
    }
    this.onOutput?.(output);
    const last = this.outputs.at(-1);
    if (isStream(output) && last !== undefined && isStream(last) && last.name === output.name) {
      last.text += output.text;
    } else {
      this.outputs.push(isStream(output) ? { ...output } : output);
    }
  }

  private clear(): void {
    this.clearPending = false;
    this.outputs.length = 0;
    this.displays.clear();
  }
}

function isStream(output: IOutput): output is IOutput & Stream {
  return output.output_type === 'stream';
}

function displayId(message: Message): string | undefined {
  const transient = message.content['transient'] as { display_id?: string } | undefined;
  return transient?.display_id;
}

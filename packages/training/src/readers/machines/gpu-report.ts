// What the tools of a GPU's vendor report of one device, as messages of the record.
import type { LibraryMessage } from '../../record/device.js';
import type { FileRecord } from '../collect/file-record.js';

export type GpuReport = 'gpu_memory_error' | 'gpu_throttled' | 'gpu_missing' | 'nvlink_error';

/** `device`: its number on the host; null when the tool speaks of none. */
export function reportGpu(
  record: FileRecord,
  kind: GpuReport,
  device: number | null,
  text: string,
  line: number,
): void {
  const code = device === null ? null : String(device);
  message(record, kind, code, device === null ? text : `GPU ${device}: ${text}`, line);
}

/** The last Xid of a device; 0 for none. */
export function reportXid(record: FileRecord, gpu: string, code: string, line: number): void {
  if (/^[1-9]\d*$/.test(code)) message(record, 'xid', code, `GPU ${gpu}: Xid ${code}`, line);
}

function message(
  record: FileRecord,
  kind: LibraryMessage['kind'],
  code: string | null,
  text: string,
  line: number,
): void {
  record.deviceMessage({
    kind,
    code,
    text,
    at: record.at(line),
    rank: null,
    time: null,
    step: null,
    count: 1,
  });
}

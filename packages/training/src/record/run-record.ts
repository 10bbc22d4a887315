// The one surface of the record: everything that readers, features, detectors and reports import of it.
export type { Gpu, Hardware, Setting, SettingValue, Version } from './configuration.js';
export type {
  CollectiveTimeoutMessage,
  DeviceAssertMessage,
  DeviceMessage,
  LibraryMessage,
  OutOfMemoryMessage,
} from './device.js';
export type { Frame, RaisedException, Traceback } from './exception.js';
export type { Exit, ExitReason, ExitSource } from './exit.js';
export type { MetricIdentity, MetricName } from './metrics.js';
export { allSeries, earliestTracebacks, findSeries, type SeriesQuery, setting } from './query.js';
export type { Note, NoteKind, Restart, RunRecord, SourceFile } from './run.js';
export type { Point, Series, Split } from './series.js';
export type { LineReason, RunText, TextFile, TextLine } from './text.js';
export { formatWhere, type Where } from './where.js';

/**
 * # A data file, column or key is missing
 *
 * ## What
 * The data code asked for a path, a column or a field that is not there.
 *
 * ## Why
 * A path of another machine, a renamed column, a data set version with other fields.
 *
 * ## Example
 * `FileNotFoundError: [Errno 2] No such file or directory: 'data/train.bin'`, `KeyError: 'input_ids'` raised in `collate`.
 *
 * ## Stays silent
 * For keys missing in code that has nothing to do with data: a KeyError counts only when it came through a data set, loader,
 * collator or table. For files of settings and weights, and for folders that a run was to write to.
 */
import { defineDetector } from '../define.js';
import { asksEnvironment, fromFailure, isConfiguration, isProgram, pathOf } from '../shared/match.js';

const dataCode =
  /dataset|dataloader|data_loader|collat|__getitem__|fetch|pandas|polars|csv|parquet|json|batch\[|row\[|sample\[|example\[|tokenize|preprocess|worker\.py/i;

/** What a model gave back is looked into, not what it was fed. */
const outputCode = /\boutputs?\[/;

/** What a compiler looks for is no data. */
const sourceFile = /^(?:fatal error: )?\S+\.(?:h|hpp|cuh|cu|cpp|cc)\b: no such/i;

/** A whole file of weights; what is missing inside of a checkpoint tells of another layout. */
const weights = /\w\.(?:pth?|ckpt|safetensors|h5|hdf5|bin|weights)\b/i;

/** A file or folder that is not where it is looked for: rows or weights. */
export const absent =
  /^(FileNotFoundError|NotADirectoryError|DatasetNotFoundError|DataFilesNotFoundError|IsADirectoryError)|No such file or directory|\bno file named .{1,300} found in|is not a valid model identifier|\b404 Client Error|HTTP Error 404|\bNot Found for url|\bNoSuch(?:Key|Bucket)\b|\b(?:path|file|folder)\b.{0,300} does not exist/i;

/** The hub or a saved model's folder has nothing under that name, whichever names were tried. */
const ofServer = /no file named|valid model identifier|\b404\b|Not Found for url|NoSuch(?:Key|Bucket)/i;

export const missingData = defineDetector({
  id: 'data/missing-data',
  subcause: 'missing_data',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const file = fromFailure(view, absent, {
      strength: 0.88,
      when: (failure) =>
        (ofServer.test(failure.text) || !isConfiguration(failure)) &&
        !sourceFile.test(failure.message) &&
        !isProgram(failure) &&
        (ofServer.test(failure.text) || !/config\.json|\.so\b/i.test(failure.message)) &&
        (/\b(data|dataset|corpus|shards?|train|val)\b/i.test(failure.message) ||
          weights.test(failure.message) ||
          ofServer.test(failure.text) ||
          !/checkpoint|model|ckpt/i.test(failure.message)),
    });
    if (file.length > 0) return file;
    const column = fromFailure(
      view,
      /columns? .*(not (found|in)|does(n't| not) exist)|not in index|ColumnNotFoundError|Column name .* not in the dataset|No columns in the dataset match|You should supply an encoding or a list of encodings .*input_ids/i,
      { strength: 0.9 },
    );
    if (column.length > 0) return column;
    return fromFailure(view, /^KeyError/, {
      strength: 0.84,
      when: (failure) =>
        !asksEnvironment(failure) &&
        (failure.worker || dataCode.test(pathOf(failure))) &&
        !outputCode.test(pathOf(failure)) &&
        !/not (?:registered|in the .{0,60}registry)/i.test(failure.message) &&
        !/load_state_dict|optimizer|config\[/.test(pathOf(failure).split('\n').at(-1) ?? ''),
    });
  },
});

// The options of whatever diagnoses jobs: where they and their files are, and what one may take.
import type { Command } from 'commander';
import { type BucketOption, bucketOption } from './bucket.js';
import { countOption } from './values.js';

export interface StoreOptions {
  readonly data?: string;
  readonly database?: string;
  readonly bucket?: BucketOption;
}

export interface WorkOptions extends StoreOptions {
  readonly workers: number;
  readonly jobSeconds: number;
  readonly jobMegabytes: number;
  readonly notebooks?: string;
}

export function withStoreOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'folder of the files, and of the embedded database; also GRUS_DATA')
    .option('--database <url>', 'postgres://USER@HOST/NAME; also GRUS_DATABASE, which no process list shows')
    .option(
      '--bucket <url>',
      'keep the files in a bucket of an S3 API: https://HOST/BUCKET/PREFIX; keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      bucketOption,
    );
}

export function withWorkOptions(command: Command): Command {
  return withStoreOptions(command)
    .option('--workers <n>', 'diagnoses at the same time', countOption('--workers', 0), 1)
    .option('--job-seconds <n>', 'seconds that one diagnosis may take', countOption('--job-seconds'), 120)
    .option(
      '--job-megabytes <n>',
      'megabytes of memory that one diagnosis may take',
      countOption('--job-megabytes'),
      1024,
    )
    .option(
      '--notebooks <dir>',
      'also judge notebooks below this folder for grus check --fleet: their cells are run, with all rights of this process',
    );
}

// Where a server looks for runs by itself: `PROJECT=PLACE`, or a place alone for the project `default`.
import { GrusError } from '@grus/core';
import { type BucketOption, bucketOption } from './bucket.js';

export type SourceOption =
  | { readonly kind: 'folder'; readonly project: string; readonly path: string }
  | { readonly kind: 'mlflow'; readonly project: string; readonly url: string }
  | { readonly kind: 's3'; readonly project: string; readonly bucket: BucketOption };

export function sourceOption(
  kind: SourceOption['kind'],
): (text: string, before?: readonly SourceOption[]) => readonly SourceOption[] {
  return (text, before = []) => {
    const [, project = 'default', place = text] = /^([A-Za-z0-9][\w.-]{0,63})=(.+)$/s.exec(text) ?? [];
    if (kind === 'folder') return [...before, { kind, project, path: place }];
    if (kind === 's3') return [...before, { kind, project, bucket: bucketOption(place) }];
    if (!URL.canParse(place) || !/^https?:$/.test(new URL(place).protocol))
      throw new GrusError(`--mlflow ${place} is no address`, { advice: 'Give http://HOST:PORT.' });
    return [...before, { kind, project, url: place }];
  };
}

// A bucket of an S3 API, named by its address; who asks is in the environment, as every tool for them has it.
import { GrusError } from '@grus/core';

export interface BucketOption {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export function bucketOption(url: string): BucketOption {
  const { env } = process;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).pathname.length < 2)
    throw new GrusError(`${url} is no address of a bucket`, {
      advice: 'Give https://HOST/BUCKET, or https://HOST/BUCKET/PREFIX.',
    });
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey)
    throw new GrusError('No key for the bucket was given', {
      advice: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  return {
    url,
    region: env['AWS_REGION'] ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'],
  };
}

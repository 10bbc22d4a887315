// All readers, most particular first: the first that recognises a file reads it.
import { consoleLog } from './console.js';
import type { Reader } from './reader.js';
import { tensorboard } from './tensorboard.js';

export const readers: readonly Reader[] = [tensorboard, consoleLog];

// What a message says it complains of: its words, its class and the place that raised it, and the families where those say less.
import { causeOf } from '../causes/table.js';
import { type Complaint, complaintOf, type Utterance } from './complaints.js';
import { familyOf } from './families.js';
import { statusOf } from './statuses.js';
import { firstSentence } from './words.js';

export function saidOf(utterance: Utterance): Complaint | null {
  const { text } = utterance;
  const status = statusOf(text);
  if (status !== null) return status;
  const first = firstSentence(text);
  const worded =
    complaintOf({ ...utterance, text: first }) ?? (first === text ? null : complaintOf(utterance));
  const family = familyOf(utterance);
  // Sizes are spoken of in many complaints; what the data is reproached with says more.
  const ofData = worded?.subcause === 'shape_mismatch' && family !== null && isCertainOfData(family);
  const saysMore = family !== null && family.certainty > (worded?.certainty ?? 0);
  return ofData || family?.alone || saysMore ? family : worded;
}

function isCertainOfData({ subcause, certainty }: Complaint): boolean {
  return certainty >= 0.78 && causeOf(subcause).category === 'data_pipeline';
}

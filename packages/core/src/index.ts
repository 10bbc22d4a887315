export { GrusError, type GrusErrorOptions } from './errors.js';
export type { Evidence } from './evidence.js';
export {
  type Edit,
  exceptionText,
  type Finding,
  type PredictedException,
  type ProposedEdit,
} from './finding.js';
export { climb, type Rung, type RungResult } from './ladder.js';
export { editDistance, nearest } from './near.js';
export type { Place } from './place.js';
export { agentReasons } from './reasons/codes.js';
export { isReason, type Reason, type ReasonCode, type ReasonOf } from './reasons/reason.js';
export { textOf } from './reasons/texts.js';
export { Disclosure, isHarmlessText } from './redaction/disclosure.js';
export { kindOfText, suffixOf } from './redaction/kinds.js';
export { type RedactionLevel, redactionLevels } from './redaction/level.js';
export { isPlainName, isSensitiveName, isVocabulary } from './redaction/names.js';
export { isPlainNumber, rounded } from './redaction/numbers.js';
export { toldReason } from './redaction/reason.js';
export { removeSecrets } from './redaction/secrets.js';
export { type TemplateOptions, templateOf } from './redaction/template.js';
export { options as libraryOptions } from './redaction/vocabulary.js';
export { abstention, type Outcome, quietVerdict, type RungReport, type Verdict } from './verdict.js';
export { visible, visibleIn, visibleJson } from './visible.js';

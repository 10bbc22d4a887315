export { isCached } from './model/cached.js';
export { ModelFailure } from './model/failure.js';
export { Ledger } from './model/ledger.js';
export type { Model, ModelReply, ModelRequest, ModelUsage } from './model/model.js';
export { type OpenModel, type OpenOptions, openModel } from './model/open.js';
export { costOf, priceOf } from './model/prices.js';
export { recordedModel } from './model/recorded.js';
export { type Answer, readAnswer } from './question/answer.js';
export {
  type ComposedQuestion,
  composeQuestion,
  type Question,
  type QuestionMode,
  questionModes,
} from './question/compose.js';
export { type Category, categories } from './question/facts/fact.js';
export { type Section, seal } from './question/shield.js';
export { estimateTokens } from './question/tokens.js';
export { type Proposal, type ProposeOptions, proposeFix } from './repair/propose.js';
export { verifyFix } from './repair/verify.js';
export { requestAsSent, type SentRequest } from './rung/as-sent.js';
export { type LlmRungOptions, llmRung, questionFor } from './rung/rung.js';
export { type Trial, tryModel } from './rung/trial.js';
export { hasKey } from './settings/keys.js';
export { type LlmOptions, type LlmSettings, llmSettings, type Price } from './settings/settings.js';
export { type ModelSpec, modelName, parseModelSpec, staysHere } from './settings/spec.js';
export { diagnoseWithModel, type TrainingRungOptions } from './training/rung.js';
export { confidenceAt } from './votes/calibration.js';
export type { CalibrationRow } from './votes/calibration-row.js';
export { hedges } from './votes/hedging.js';
export { type Poll, type PollOptions, poll } from './votes/poll.js';

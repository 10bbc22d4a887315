// A model behind the AI SDK. Answers are streamed, so that a cancelled question stops costing at once and a connection
// that falls silent is noticed; the text is collected whole, because half a structured answer says nothing.
import { type LanguageModel, Output, streamText } from 'ai';
import { brokenOff, explainFailure } from './explain-failure.js';
import type { ModelFailure } from './failure.js';
import type { Model, ModelReply, ModelRequest } from './model.js';

export interface SdkOptions {
  readonly name: string;
  readonly timeoutMs: number;
  readonly answerTokens: number;
}

export function sdkModel(language: LanguageModel, options: SdkOptions): Model {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  /** Some servers of one's own know no schemas; the instructions describe the answer to them as well. */
  let constrained = true;
  return {
    name: options.name,
    async ask(request) {
      try {
        return await stream(language, request, options, constrained);
      } catch (error) {
        const failure = explainFailure(error, {
          model: options.name,
          timeoutMs: options.timeoutMs,
          signal: request.signal,
        });
        if (!constrained || !isAboutSchemas(failure)) throw failure;
        constrained = false;
        return this.ask(request);
      }
    },
  };
}

function isAboutSchemas(failure: ModelFailure): boolean {
  return (
    failure.kind === 'refused' && /response_?format|json_?schema|structured output/i.test(failure.message)
  );
}

/** The SDK would parse what came so far again with every piece that comes; only the whole answer is of use here. */
function wholeObject({ schema, schemaName: name }: ModelRequest) {
  return { ...Output.object({ schema, name }), parsePartialOutput: async () => undefined };
}

async function stream(
  language: LanguageModel,
  request: ModelRequest,
  options: SdkOptions,
  constrained: boolean,
): Promise<ModelReply> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const started = performance.now();
  const { fullStream } = streamText({
    model: language,
    system: request.instructions,
    prompt: request.prompt,
    maxOutputTokens: options.answerTokens,
    maxRetries: 0,
    abortSignal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    ...(constrained ? { output: wholeObject(request) } : {}),
    // What goes wrong comes through the stream; without this the SDK also prints it.
    onError: () => {},
  });
  let text = '';
  for await (const part of fullStream) {
    switch (part.type) {
      case 'text-delta':
        text += part.text;
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new DOMException(part.reason ?? 'aborted', 'AbortError');
      case 'finish': {
        if (part.finishReason === 'error' || part.finishReason === 'other')
          throw brokenOff(options.name, null);
        const { inputTokens = 0, outputTokens = 0 } = part.totalUsage;
        const usage = { inputTokens, outputTokens, usd: null };
        return { text, usage, ms: performance.now() - started, replayed: false };
      }
    }
  }
  throw brokenOff(options.name, null);
}

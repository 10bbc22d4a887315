// Writes down every answer in the form that the recorded model replays, so that anybody can make such a set.
import { join } from 'node:path';
import { writeWhole } from './files.js';
import { questionKey } from './key.js';
import type { Model } from './model.js';
import { recordedAnswers } from './recorded.js';

/** Answers under the question's own name where it has one; the votes of one question share a file. */
export function recording(model: Model, folder: string): Model {
  let writing: Promise<void> = Promise.resolve();
  return {
    name: model.name,
    async ask(request) {
      const reply = await model.ask(request);
      // Votes come in at the same time: one after the other into the file.
      writing = writing.then(async () => {
        const answers = [...(await recordedAnswers(folder, request))];
        while (answers.length <= request.vote) answers.push(null);
        answers[request.vote] = structured(reply.text);
        const path = join(folder, `${request.name ?? questionKey(request)}.json`);
        await writeWhole(path, `${JSON.stringify(answers, null, 2)}\n`);
      });
      await writing;
      return reply;
    },
  };
}

function structured(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// Other spellings of the words that metrics are named with: in other languages, and glued together. Data, not rules: each becomes the
// English words that metrics.ts knows.
import { inverted } from './metric-words.js';

/** Words of many languages (German, French, Spanish, Portuguese, Italian, Russian, Ukrainian, Dutch, Polish, Turkish, Swedish, Czech), without accents, and of MATLAB's table. A word that means something else in English is left out. */
const words = inverted({
  loss: `verlust verlustfunktion perte perdida perda perdita потери потеря втрати verlies strata kayıp kaybı
    forlust ztrata minibatch_loss`,
  'train loss': 'trainingsverlust',
  'val loss': 'validierungsverlust',
  'test loss': 'testverlust',
  accuracy: `genauigkeit exactitude exactitud acuracia accuratezza точность точність nauwkeurigheid dokładnosc
    dogruluk noggrannhet presnost minibatch_accuracy`,
  'train accuracy': 'trainingsgenauigkeit',
  'val accuracy': 'validierungsgenauigkeit',
  'test accuracy': 'testgenauigkeit',
  lr: 'lernrate base_learning_rate',
  epoch: 'epoche epoque epoca эпоха епоха epoka epok epocha',
  step: 'schritt paso passo шаг',
  val: `validierung validacion validacao validazione валидация проверка валідація validatie walidacja
    walidacyjna walidacyjny dogrulama`,
  train: `entrainement entrenamiento treinamento treino addestramento обучение обучающая тренировка навчання
    uczacy treningowa treningowy egitim`,
  error: 'ошибка',
  test: 'тест',
});

/** Parts of names in scripts that put no blank between words. Longer ones come first. */
const parts = Object.entries(
  inverted({
    train: '训练集 训练 訓練 学習 학습 훈련',
    val: '验证集 验证 検証 검증',
    test: '测试集 测试 测验 테스트',
    loss: '损失值 损失 損失 손실',
    accuracy: '准确率 正确率 正解率 정확도 精度',
    perplexity: '困惑度',
    lr: '学习率 学習率 학습률',
    epoch: 'エポック 에포크 에폭 轮次 轮',
    step: 'ステップ 步',
  }),
).sort(([one], [other]) => other.length - one.length);

const nonAscii = /[^\x00-\x7f]/;
const accents = /\p{M}/gu;

/** `valloss`, `trainAcc`, `vacc`: a split and what was measured in one word. */
const glued =
  /^(train(?:ing)?|trn?|t|val(?:id(?:ation)?)?|v|eval|dev|test|te)(loss|acc(?:uracy)?|ppl|nll|mse|mae|rmse|auc|f1|err(?:or)?)$/;
const short: Readonly<Record<string, string>> = { t: 'train', v: 'val', tr: 'train', te: 'test' };

/** Beside every character that is in no word. The classes of Unicode take long to compile, and few names need them. */
const besideWords = /(?<![\p{L}\p{N}_])|(?![\p{L}\p{N}_])/u;
const besideAsciiWords = /(?<!\w)|(?!\w)/;

/** Words that are bent end otherwise: потери, потерь; валидация, валидации. Other scripts than Latin have no English word to be taken for. */
const bent = Object.keys(words).filter((word) => word.length > 3 && nonAscii.test(word));
const longestEnd = 3;

function known(word: string): string | undefined {
  if (Object.hasOwn(words, word)) return words[word];
  if (!nonAscii.test(word)) return undefined;
  const same = bent.find(
    (other) => word.startsWith(other.slice(0, -1)) && word.length <= other.length + longestEnd,
  );
  return same === undefined ? undefined : words[same];
}

/** What is held out, in two words. */
const twoWords = /(?:held|hold)[-_ ]out|cross[-_ ]?val(?:id(?:ation)?)?(?![a-z])/g;

/** A name in lower case, in the words that metrics are known by. */
export function inKnownWords(name: string): string {
  let text = name.replace(twoWords, 'heldout');
  const isAscii = !nonAscii.test(text);
  if (!isAscii) {
    text = text.normalize('NFKD').replace(accents, '').normalize('NFC');
    for (const [part, word] of parts) if (text.includes(part)) text = text.replaceAll(part, ` ${word} `);
  }
  return text
    .split(isAscii ? besideAsciiWords : besideWords)
    .map((word) => {
      const whole = known(word);
      if (whole !== undefined) return whole;
      const [, split, measured] = glued.exec(word) ?? [];
      if (split !== undefined) return `${short[split] ?? split} ${measured!}`;
      return word.includes('_') ? word.replace(/[^_]+/g, (part) => known(part) ?? part) : word;
    })
    .join('');
}

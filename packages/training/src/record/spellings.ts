// Other spellings of the words that metrics are named with: in other languages, and glued together. Data, not rules: each becomes the
// English words that metrics.ts knows.

/** Words of one language each, without accents. A word that means something else in English is left out. */
const words: Readonly<Record<string, string>> = {
  // German
  verlust: 'loss',
  verlustfunktion: 'loss',
  trainingsverlust: 'train loss',
  validierungsverlust: 'val loss',
  testverlust: 'test loss',
  genauigkeit: 'accuracy',
  trainingsgenauigkeit: 'train accuracy',
  validierungsgenauigkeit: 'val accuracy',
  testgenauigkeit: 'test accuracy',
  lernrate: 'lr',
  epoche: 'epoch',
  schritt: 'step',
  validierung: 'val',
  // French
  perte: 'loss',
  exactitude: 'accuracy',
  epoque: 'epoch',
  entrainement: 'train',
  // Spanish, Portuguese, Italian
  perdida: 'loss',
  perda: 'loss',
  perdita: 'loss',
  exactitud: 'accuracy',
  acuracia: 'accuracy',
  accuratezza: 'accuracy',
  epoca: 'epoch',
  paso: 'step',
  passo: 'step',
  entrenamiento: 'train',
  treinamento: 'train',
  treino: 'train',
  addestramento: 'train',
  validacion: 'val',
  validacao: 'val',
  validazione: 'val',
  // Russian
  потери: 'loss',
  потеря: 'loss',
  ошибка: 'error',
  точность: 'accuracy',
  эпоха: 'epoch',
  шаг: 'step',
  обучение: 'train',
  обучающая: 'train',
  тренировка: 'train',
  валидация: 'val',
  проверка: 'val',
  тест: 'test',
  // Ukrainian
  втрати: 'loss',
  точність: 'accuracy',
  епоха: 'epoch',
  навчання: 'train',
  валідація: 'val',
  // Dutch, Polish, Turkish, Swedish, Czech
  verlies: 'loss',
  nauwkeurigheid: 'accuracy',
  validatie: 'val',
  strata: 'loss',
  dokładnosc: 'accuracy',
  walidacja: 'val',
  walidacyjna: 'val',
  walidacyjny: 'val',
  uczacy: 'train',
  treningowa: 'train',
  treningowy: 'train',
  epoka: 'epoch',
  kayıp: 'loss',
  kaybı: 'loss',
  dogruluk: 'accuracy',
  egitim: 'train',
  dogrulama: 'val',
  forlust: 'loss',
  noggrannhet: 'accuracy',
  epok: 'epoch',
  ztrata: 'loss',
  presnost: 'accuracy',
  epocha: 'epoch',
  // MATLAB's table
  minibatch_loss: 'loss',
  minibatch_accuracy: 'accuracy',
  base_learning_rate: 'lr',
};

/** Parts of names in scripts that put no blank between words. Longer ones come first. */
const parts: readonly (readonly [string, string])[] = [
  ['训练集', 'train'],
  ['验证集', 'val'],
  ['测试集', 'test'],
  ['损失值', 'loss'],
  ['准确率', 'accuracy'],
  ['正确率', 'accuracy'],
  ['困惑度', 'perplexity'],
  ['学习率', 'lr'],
  ['学習率', 'lr'],
  ['正解率', 'accuracy'],
  ['エポック', 'epoch'],
  ['ステップ', 'step'],
  ['정확도', 'accuracy'],
  ['학습률', 'lr'],
  ['에포크', 'epoch'],
  ['에폭', 'epoch'],
  ['训练', 'train'],
  ['訓練', 'train'],
  ['学習', 'train'],
  ['학습', 'train'],
  ['훈련', 'train'],
  ['验证', 'val'],
  ['検証', 'val'],
  ['검증', 'val'],
  ['测试', 'test'],
  ['测验', 'test'],
  ['테스트', 'test'],
  ['损失', 'loss'],
  ['損失', 'loss'],
  ['손실', 'loss'],
  ['精度', 'accuracy'],
  ['轮次', 'epoch'],
  ['轮', 'epoch'],
  ['步', 'step'],
];

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

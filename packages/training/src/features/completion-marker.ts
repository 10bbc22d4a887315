// The words with which trainers and scripts say that they came to their end.

/** Training stopped itself because what it watches got no better: in the words of Lightning, Keras, boosting libraries and of scripts. */
export const stopsItself =
  /signaling trainer to stop|(?<!\b(?:no|not|without) )early[ -]stopp(?:ing|ed)(?: (?:at|triggered|because)|,? best iteration)|\bepoch \d+: early stopping|^\W*stopping\. best iteration|stopped by overfitting detector/i;

const ownWords =
  /train_runtime|training (is )?(completed?|finished|done)|finished (training|(all )?\d+ (training )?(steps|epochs|iterations|updates|episodes|rounds))|\bdone after \d+ (steps|epochs|iterations|updates)\b|`Trainer\.fit` stopped: `max_(epochs|steps)=[1-9]\d*` reached|do not forget to share your model|^\s*(training )?done\.?\s*$|reached max[_ ]steps|early[ -]stopp(ing|ed) after|stopping early/i;

export const completionMarker = new RegExp(`${ownWords.source}|${stopsItself.source}`, 'i');

/** What each rank of a job says of itself as its last word: nothing but the whole run is said to be done. */
export const rankDone =
  /(?:^|[\]|>:]\s+|\s-\s+|\d\d:\d\d:\d\d[.,\dZ]*\s+)\W*(?:(?:the|all|training|run|job|rank|process|worker|main|loop|is|has|\d+|(?!(?:step|epoch|iter|batch|fold|pass|round))[a-z]\w{0,20}=\d+|(?!(?:step|epoch|iter|batch|fold|pass|round)\w*\d)[a-z][\w-]*\d+)\W{1,2})*(?:finished|done|completed?)\b(?! (?:with )?(?:error|fail))/i;

const counted = String.raw`\d+ (?:training )?(?:steps|epochs|iterations|iters|updates|episodes|rounds)\b`;

/** What a script of somebody's own says behind its last point: "done: 4000 steps", "All 20 epochs done", "finished at step 500". */
export const closingWords = new RegExp(
  [
    String.raw`\b(?:done|finished|completed?)\b[\s:,-]{1,3}(?:with |after )?(?:all )?${counted}`,
    String.raw`\ball ${counted}(?: are| were)? (?:done|finished|completed?)\b`,
    String.raw`\ball (?:\d+ )?(?:ranks|workers|processes)(?: are| were| have)? (?:done|finished|completed?|(?:returned|exited)(?: with)?(?: code)? 0)\b`,
    String.raw`\bfinished (?:at|after) (?:step|epoch|iteration) \d+`,
  ].join('|'),
  'i',
);

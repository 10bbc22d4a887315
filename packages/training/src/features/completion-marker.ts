// The words with which trainers and scripts say that they came to their end.
export const completionMarker =
  /train_runtime|training (is )?(completed?|finished|done)|finished (training|(all )?\d+ (training )?(steps|epochs|iterations|updates|episodes|rounds))|\bdone after \d+ (steps|epochs|iterations|updates)\b|`Trainer\.fit` stopped: `max_(epochs|steps)=\d+` reached|do not forget to share your model|^\s*(training )?done\.?\s*$|reached max[_ ]steps|early[ -]stopp(ing|ed) (at|after|triggered|because)|stopping early/i;

// One fact and where it was read. Everything Grus claims is carried by evidence of this form.

export interface Evidence {
  /** The fact in words, with the figures that make it checkable: "df has the columns 'age', 'fare'". */
  readonly fact: string;
  /** Where it was read: "kernel: df", "cell 3, line 2", "train.log:118", "curve loss at step 420". */
  readonly source: string;
}

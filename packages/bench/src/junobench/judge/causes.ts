// The causes of crashes, and how an explanation in English names each. Expert diagnoses, exception messages and the
// explanations under judgement are all read with the same table, so two texts agree when they name the same cause.

export type Cause =
  | 'undefined_name'
  | 'missing_module'
  | 'missing_file'
  | 'missing_attribute'
  | 'missing_key'
  | 'out_of_bounds'
  | 'empty_data'
  | 'index_type'
  | 'conversion'
  | 'missing_values'
  | 'shape'
  | 'arguments'
  | 'kind_of_data'
  | 'not_fitted'
  | 'feature_names'
  | 'target_kind'
  | 'gradient'
  | 'unequal_items'
  | 'not_callable'
  | 'saved_weights'
  | 'wrong_input_object';

const table: readonly (readonly [Cause, RegExp])[] = [
  [
    'undefined_name',
    /nameerror|(?:un|not |never |n't )(?:be |been |being |yet |explicitly )?(?:defined|declared|imported)|without (?:\S+ ){0,3}(?:imported|defined|defining|importing)|(?:neither|nor|none)[^.;]{0,40}(?:defined|imported)/i,
  ],
  [
    'missing_module',
    /modulenotfound|importerror|no module|cannot import|module .{0,30}not (?:found|installed|imported)|not installed/i,
  ],
  [
    'missing_file',
    /filenotfound|no such file|(?:file|path|director\w+|folder|dataset|data)\b[^.;]{0,60}(?:not (?:exist|found|present|be present|downloaded|available)|n't exist|non-?existent|missing|unlikely|empty)|(?:non-?existent|missing|without)[^.;]{0,30}(?:file|path|director|folder)/i,
  ],
  [
    'missing_attribute',
    /attributeerror|cannot access attribute|not a known attribute|unknown attribute|no (?:such )?(?:\S+ )?(?:attribute|method|member)|(?:not|n't) (?:have|provide|support|expose|a valid)[^.;]{0,40}(?:attribute|method|member|function)|(?:attribute|method|member|function|accessor)s?\b[^.;]{0,40}(?:not exist|n't exist|not directly|not available|removed|deprecated)|(?:deprecated|removed) (?:in|from|method)|was (?:removed|deprecated)|lacks? (?:an? |the )?\S* ?(?:attribute|method)|\.\w+(?:\(\))? (?:does not|doesn't) exist|only (?:available|valid|works?)[^.;]{0,20} (?:for|on)/i,
  ],
  [
    'missing_key',
    /keyerror|not (?:found )?in (?:the )?(?:axis|columns?|index|dataframe)|not found in axis|(?:column|key|label|row|index)s?\b[^.;]{0,80}(?:not (?:exist|found|present|in)\b|n't exist|already (?:been )?(?:dropped|removed|deleted)|missing|absent|no longer|non-?existent|were dropped|was dropped|lacks?)|(?:non-?existent|missing|lacks?)[^.;]{0,30}(?:column|key|label)|already (?:been )?(?:dropped|removed)|(?:has|have|contains?) no (?:column|key)|not (?:have|contain)[^.;]{0,40}(?:column|key)/i,
  ],
  [
    'out_of_bounds',
    /indexerror|out[- ]of[- ]?(?:the )?(?:bounds?|range)|(?:index|indices|axis|\bi\b|\bk\b|\bn\b|lags?|loop)[^.;]{0,50}(?:exceed|beyond|greater than|larger than)|exceed|more (?:than|columns|features|plots|subplots|axes)|only \d+ (?:axes|subplots|images|plots|samples|elements)|axis 1\b|one[- ]dimension|1[- ]?d(?:imensional)?\b/i,
  ],
  [
    'empty_data',
    /\bempty\b|n_samples ?= ?0|zero (?:rows|samples)|no (?:rows|samples|data|matching|matches)\b|0 (?:rows|samples)/i,
  ],
  [
    'index_type',
    /only integers|(?:string|str|column name|label)[^.;]{0,40}(?:index|indices|subscript)|(?:index|indexed|indexing|access)[^.;]{0,40}(?:string|str\b|label|column name|by name|key)|not subscriptable|scalar index|(?:array|list)[^.;]{0,40}(?:as|used as|be)[^.;]{0,10} (?:an? )?(?:index|indices)|list indices|indices must be|index to|(?:numpy|nd)[^.;]{0,120}\[['"]|integer indices/i,
  ],
  [
    'conversion',
    /could not convert|invalid literal|(?:cannot|can't|can not|not|fail\w*)[^.;]{0,30}(?:convert|cast|pars)|non-?numeric|(?:convert|cast|astype)[^.;]{0,80}(?:string|character|fail|error|nan|crash)|string (?:values?|features?|columns?|data)|strings? (?:in|like|such)|categorical (?:string|columns?|features?|data|values?)|special (?:character|symbol)/i,
  ],
  ['missing_values', /\bnans?\b|missing values?|null values?|\binf(?:inity|inite)?\b|missing data/i],
  [
    'shape',
    /\bshapes?\b|dimension|channel|broadcast|not aligned|mat1 and mat2|incompatible (?:size|dim)|size mismatch|\b\d-?d\b|reshape|flatten|transpose|permute|grayscale|\(\d+, ?\d+/i,
  ],
  [
    'arguments',
    /positional|takes? (?:from )?\d|unexpected (?:keyword|argument)|multiple values|keyword(?:-only)? arg|too many arg|missing \d? ?(?:required )?arg|(?:argument|parameter)s?\b[^.;]{0,50}(?:not (?:supported|accepted|valid|allowed|recognized)|invalid|wrong|incorrect|passed twice|twice|specified (?:both|twice)|requires?)|(?:accept|expect|support|take)s?[^.;]{0,30}(?:argument|parameter|keyword)|signature|invalid (?:argument|combination)|(?:not|n't) (?:accept|support|take)/i,
  ],
  ['kind_of_data', /numeric|categorical|continuous|non-?numerical|boolean|datatype|data type|dtype/i],
  [
    'not_fitted',
    /not (?:been |yet |properly )*(?:fitted|trained)|notfitted|not (?:yet )?been fit|unfitted|(?:before|without) (?:being )?(?:fit|train)/i,
  ],
  [
    'feature_names',
    /feature names?|(?:columns?|features?)[^.;]{0,80}(?:mismatch|match|differ|same|align|missing|consistent|not present|number)|different (?:number of )?(?:columns|features|dummy)|mismatch[^.;]{0,40}(?:features|columns)|(?:same|number of) (?:features|columns)|inconsistent (?:features|columns)/i,
  ],
  [
    'target_kind',
    /mix of|regress\w*|continuous|classif\w+ (?:metric|accuracy|target|label)|multiclass|multioutput|not (?:the )?predictions?|instead of (?:the )?predict/i,
  ],
  ['gradient', /in-?place|retain_graph|backward|detach|computation(?:al)? graph|gradient/i],
  [
    'unequal_items',
    /equal size|same (?:size|shape|dimension)|(?:different|varying|variable|inconsistent|unequal) (?:\w+ )?(?:sizes?|shapes?|dimensions?|lengths?)|collat|(?:not|cannot|can't|unable to) be (?:stacked|batched)|stack|not all the same|inhomogeneous|ragged|batch(?:ed|ing)? (?:these|the|dict|of dict)/i,
  ],
  [
    'not_callable',
    /not (?:a )?callable|callable|instead of (?:an? )?(?:instance|transform|Compose)|is (?:an? |the )?(?:imported )?module|module (?:object|itself|rather|instead|not)/i,
  ],
  [
    'saved_weights',
    /(?:load\w*|saved|pretrained|checkpoint)[^.;]{0,60}(?:weight|layer|state)|weights?[^.;]{0,60}(?:mismatch|match|incompatible|architecture|different|expect|load)|layer count|architecture/i,
  ],
  [
    'wrong_input_object',
    /(?:expects?|requires?|needs?|must be|should be)[^.;]{0,80}(?:tensor|array|dict|list|callable|sequence|iterable|number|input|1d|target|class ind)|instead of|rather than|cannot be (?:used|passed|plotted|drawn|indexed)|(?:not|n't) (?:be )?(?:a |an )?(?:valid|compatible|supported|plottable|scalar|iterable)|non-?iterable|wrong (?:type|format|input)|list of|object/i,
  ],
];

/** Every cause that the text names. */
export function causesIn(text: string): Set<Cause> {
  return new Set(table.filter(([, pattern]) => pattern.test(text)).map(([cause]) => cause));
}

/** Causes so general that naming the same one is no agreement by itself. */
export const vagueCauses: ReadonlySet<Cause> = new Set([
  'shape',
  'arguments',
  'kind_of_data',
  'wrong_input_object',
  'missing_values',
  'out_of_bounds',
  'saved_weights',
]);

/** Causes so definite that naming one which is not the expected contradicts it. */
export const definiteCauses: ReadonlySet<Cause> = new Set([
  'undefined_name',
  'missing_module',
  'missing_file',
  'missing_attribute',
  'missing_key',
  'not_fitted',
]);

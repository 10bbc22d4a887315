// What a complaint is about where no library's message and no class of an exception tells: builds and architectures that do not
// fit, memory in any allocator's wording, and data that is refused, each by a thing and what is said of it. Read at run time only.
import type { Complaint, Utterance } from './complaints.js';

interface Family extends Complaint {
  readonly says: RegExp;
  readonly unless?: RegExp;
  /** Nobody else speaks so: other words of the sentence count for nothing. */
  readonly alone?: true;
  /** Said as a warning it still tells why: nothing that follows undoes it. */
  readonly warned?: true;
}

interface FamilyComplaint extends Complaint {
  readonly alone: boolean;
}

/** What a person gives a program to learn from. */
const fed =
  '(?:images?(?:/labels?)?|annotations?|(?:class )?labels?|bounding box(?:es)?|bbox(?:es)?|boxes|masks?|transcript(?:ion)?s?|captions?|audio|clips?|utterances?|samples?|examples?|rows?|columns?|records?|data ?sets?|data files?|class_ids?|entit(?:y|ies)|features?|feature values|egs?|targets?|ground truths?|jpe?g data|utt2\\w+|spk2\\w+|\\w+\\.scp|files?)';
/** What is said of it when it cannot be learned from. */
const refused =
  "(?:wrong|invalid|corrupt(?:ed)?|malformed|broken|damaged|unreadable|not trainable|too (?:large|short|long|small|few)|negative|out of (?:bounds|range)|non-?normali[sz]ed|not (?:in )?sorted|zero-(?:area|size[d]?|length)|degenerate|mis-?aligned|duplicated?|(?:all |are |is )(?:all )?(?:constant|empty|zero|the same|identical|ignored)|(?:could not|cannot|can't|failed to) be (?:aligned|read|decoded|loaded|parsed|matched)|(?:must|should) (?:all )?have the same|do(?:es)? not (?:match|have the same)|changed from|only one class|no meaningful|none (?:was|were) (?:found|loaded|created))";

/** What libraries that decode pictures, sound and films print of a file that is not what it should be. */
export const decoderSays =
  /\blibpng error: |\bpremature end of jpeg file|\bcorrupt jpeg data\b|\bnot a jpeg file\b|\binvalid SOS parameters\b|\bunsupported marker type 0x|\bimread_\(.{1,400}can't (?:open|read)|\bmoov atom not found\b|\] error while decoding MB\b|\binvalid NAL unit size\b|\binvalid data found when processing input\b/i;

const families: readonly Family[] = [
  // Builds.
  {
    subcause: 'version_mismatch',
    certainty: 0.84,
    warned: true,
    says: /\b(?:sm_|compute_|gfx)\d{2,}\w*\b.{0,80}\b(?:not (?:compatible|supported|defined)|unsupported)|(?:unsupported|incompatible|unknown|invalid) .{0,40}\b(?:sm_|compute_|gfx)\d{2,}/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.84,
    warned: true,
    says: /\bversion\b.{0,30}\bmismatch\w*\b.{0,30}\bversion\b|\b(?:loaded|installed|detected|found|runtime)\b.{0,80}\bbut\b.{0,40}\b(?:compiled|built) (?:with|for|against|on|using|to)\b|\bcompiled (?:to use|with|for)\b.{0,80}\b(?:are|is)(?:n't| not) (?:available|supported)|\bversions?\b.{0,40}\b(?:is|are) not compatible\b|\bis not compatible (?:with|between) .{0,60}\b(?:versions?|installation|build|release|python|driver)\b/i,
    unless: /checkpoint|state.?dict/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.82,
    says: /\b(?:nvcc|ptxas|cicc|gcc|g\+\+|clang|ninja|cmake|cl\.exe)\b.{0,40}\b(?:fatal|error|stopped|failed)|: cannot find -l\w|\bcollect2: error|^fatal error: \S+\.h(?:pp|h)?\b|was not declared in this scope|undefined reference to|failed (?:to )?build(?:ing)? (?:wheel|extension)|could not build wheels|error in (?:.{0,40} )?setup command|\berror building (?:extension|wheel)|\bcommand ['"[(]{0,2}\S*(?:gcc|g\+\+|nvcc|ninja|cmake|cl\.exe|clang\S*)['"].{0,80}\b(?:failed|returned non-zero)|^error: subprocess-exited|error compiling objects/i,
  },
  {
    subcause: 'missing_package',
    certainty: 0.84,
    says: /no matching distribution found|could not find a version that satisfies|ResolvePackageNotFound|PackagesNotFoundError|\bhave you installed\b|\b(?:cannot|could not|unable to) find (?:an? )?(?:\w+ )?\w+ (?:installation|compiler|toolkit|executable)\b|\bis required to (?:load|use|run|build|compile)\b|\bis not recogni[sz]ed as (?:an? |the )?(?:internal|name)\b|: command not found$/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.76,
    says: /\b(?:cuda|cudnn|rocm|hip|nccl|mkl|opencl|tpu|xla|triton)\b.{0,20}\b(?:setup|set-up|installation|toolkit|librar(?:y|ies)|runtime|initiali[sz]ation)\b.{0,40}\b(?:failed|not found|missing|could not|cannot|incorrect|incomplete)\b|\b(?:failed|could not|couldn't|cannot|unable) (?:to )?(?:load|find|open|locate)\b.{0,30}(?:\b(?:cuda|cudnn|rocm)\b|\blib\w+\.(?:so|dylib)|\.dll\b).{0,400}(?:skipping registering|gpu will not|no gpu)|\b(?:op|kernel|extension|library|package|instruction)\b.{0,20}\bis not compatible\b|\brequires (?:avx|sse|cuda|rocm|gpu)\b|\bonly supports? .{0,40}\bgpus?\b.{0,20}\b(?:or newer|and (?:newer|later|above))/is,
    unless: /out of memory|alloc/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.86,
    says: /^[\w./-]{1,60}: error: (?:unrecognized arguments|argument |the following arguments|invalid |ambiguous option|one of the arguments)/,
  },
  // What was asked of a scheduler and is not given.
  {
    subcause: 'invalid_configuration',
    certainty: 0.84,
    alone: true,
    says: /\b(?:job|batch) submission failed\b|\bunable to allocate resources\b|\brequested \w+(?: \w+){0,3} (?:is|are) (?:invalid|not available|not permitted|unavailable)\b|\binvalid (?:account|partition|qos|queue|reservation|feature specification)\b/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.84,
    says: /\bconfig\w*['"]? (?:\w+ )?error\b|\berror (?:merging|parsing|loading|reading|validating|in) .{0,20}\bconfig|\bextra (?:fields?|keys?|inputs?) (?:are )?not (?:permitted|allowed)\b|\bkey '\w+' (?:is )?not in '/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.8,
    says: /(?:^|[\s:])--?[a-z][\w-]* (?:is|must be|should be) (?:required|given|set|specified|provided)\b|\b(?:invalid|unknown|unsupported|unrecogni[sz]ed) (?:config\w*|command[- ]line|hydra)? ?(?:overrides?|options?|flags?|arguments?)\b/i,
    unless: /keyword arguments?|positional arguments?/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.74,
    says: /\bno such option\b|^in '\w+': could not find '|\bnot found \(valid \w+ (?:are|include)|\bdid you mean\b.{0,60}\?|\bvalid (?:options|choices|values|names|versions) (?:are|include)\b|\bexpects? (?:\w+ ){1,3}arguments?\b/i,
  },

  {
    subcause: 'invalid_configuration',
    certainty: 0.78,
    says: /\b(?:gated|private) repo(?:sitory)?\b|\bcan(?:'t|not) load (?:the )?(?:tokenizer|processor|feature extractor|configuration) (?:for|of|from)\b/i,
  },

  // A device that nobody finds, and a driver that does not answer.
  {
    subcause: 'device_fault',
    certainty: 0.78,
    says: /\bno (?:cuda|nvidia|hip|rocm|gpu)(?:-capable)? (?:gpus?|devices?)\b.{0,20}\b(?:available|detected|found|visible)\b|\bfound no nvidia driver\b|\bcommunicate with the nvidia driver\b|\bcudaSuccess \(\d+ vs\. 0\)|\bcu(?:rand|fft|solver|sparse|dnn|blas) error \d+/i,
    // TensorFlow looks for a device at every start, and goes on without one.
    unless: /out of memory|\bcuInit\b/i,
  },

  {
    subcause: 'device_fault',
    certainty: 0.78,
    warned: true,
    says: /\bCUDA initialization: (?:CUDA unknown error|unexpected error)/i,
  },

  // A compiler that fails by itself, whatever it was given.
  {
    subcause: 'native_crash',
    certainty: 0.8,
    says: /\binternal (?:compiler|assembler|linker|codegen|\w+izer) error\b/i,
  },

  // Memory, whoever hands it out.
  {
    subcause: 'gpu_capacity',
    certainty: 0.84,
    warned: true,
    says: /oom when allocating|resource[ _]exhausted|(?:cuda|cublas|cudnn|hip|gpu|device|vram).{0,60}(?:out of memory|alloc(?:ation)?_?(?:failed| failure))|(?:out of memory|alloc_failed).{0,60}(?:cuda|cublas|cudnn|hip|gpu|vram)|failed to allocate .{0,60}(?:gpu|device|cuda)|(?:metal|iogpu|gpu|device).{0,60}insufficient memory/i,
    unless: /is not a failure/i,
  },
  {
    subcause: 'host_memory',
    certainty: 0.8,
    says: /\b(?:all|the) (?:available |of the )?(?:ram|memory)\b.{0,30}\b(?:used|exhausted|consumed)|\busing all available (?:ram|memory)|\blow on (?:resource: )?memory|\b(?:ran|run|runs|running) out of (?:ram|memory)\b|\bexceed\w* (?:its |the )?(?:(?:step|job|task) )?(?:memory|ram) (?:limit|request)|\bmemory\b.{0,40}\bexceeds? its (?:request|limit)|^tcmalloc: large alloc|\b(?:not enough|insufficient) memory\b|\boom[- ]?killed?\b|\bfailed to allocate a? ?(?:memory|region|buffer)/i,
    unless: /is not a failure/i,
  },

  {
    subcause: 'network',
    certainty: 0.72,
    says: /\bconnect\(\) (?:timed out|failed)\b/i,
  },

  // Data.
  {
    subcause: 'decode_error',
    certainty: 0.8,
    says: /!\w*\.empty\(\)|does not start with \w+ id|error (?:opening|reading|decoding|parsing) \S+\.(?:wav|mp3|flac|jpe?g|png|tiff?|mp4|npy|h5|csv|jsonl?|parquet)\b|\b(?:can't|cannot|could not|unable to|failed to) (?:encode|decode|transcribe|tokeni[sz]e) (?:the )?(?:transcription|string|text|label|image|audio|row)|(?:encoding|decoding) of \w+ failed|ctc targets? failed|\bbad value for \w*feature|\bcan(?:'t|not) convert \S{1,60} to (?:float|int|number|a number)\b/i,
  },
  {
    subcause: 'label_out_of_range',
    certainty: 0.78,
    says: /\b(?:class_?id|label|category(?:_id)?|class)\b.{0,40}\bshould be\b.{0,10}(?:\[|from|between|in|less|<)|\b(?:wrong|bad) (?:annotation|label)/i,
  },
  {
    subcause: 'empty_data',
    certainty: 0.78,
    warned: true,
    says: /\bno (?:\w+ )?(?:eg|egs|examples?|samples?|images?|labels?|annotations?|utterances?|entities|positives?)\b.{0,20}\b(?:was|were|could be)? ?(?:created|generated|found|loaded|left|matched|produced)\b|\b(?:ran|run) out of data\b|\bfound 0 (?:images?|samples?|files?|labels?|annotations?)\b|\bnumber of positives?: 0\b|\b0 positive (?:pixels|samples|examples|labels|boxes)/i,
    unless: /no corrupt|no missing/i,
  },
  {
    subcause: 'empty_data',
    certainty: 0.8,
    says: /\bno (?:proper|usable|suitable|valid) (?:\w+ )?(?:data|samples?|examples?)\b|found array with 0 (?:sample|feature)|\bqueue\b.{0,80}\bis closed and has insufficient elements|\(num_(?:data|rows|samples)\) > \(?0/i,
  },
  // A shell's own words about what a step of a recipe was to read.
  {
    subcause: 'missing_data',
    certainty: 0.8,
    says: /^[\w./{}-]+: (?:line \d+: )?(?:(?:\S{1,200}\.(?:scp|ark|tsv|csv|jsonl?|txt|wav|flac|npy|h5)|(?:\.{0,2}\/)?(?:\w+\/){0,3}(?:data|dump|corpus)\/[\w./-]{1,200}): no such file or directory$|no such file \S{1,200}\.(?:scp|ark|tsv|csv|jsonl?|txt|wav|flac|npy|h5)$)/i,
    unless: /\.(?:py|sh|pl|so|ya?ml|cfg|conf|toml|ini|exe|pth?|ckpt): no such file or/i,
  },
  {
    subcause: 'ignored_targets',
    certainty: 0.84,
    says: /\ball (?:of )?(?:the |your )?(?:labels?|targets?)\b.{0,40}\b(?:are|is|were) (?:all )?(?:-100\b|ignored|masked)/i,
  },
  { subcause: 'decode_error', certainty: 0.8, says: decoderSays },
  {
    subcause: 'truncated_data',
    certainty: 0.82,
    alone: true,
    says: /^(?:gzip|gunzip|tar|unzip|bzip2|xz|zstd|7z)\b:? .{0,200}\b(?:unexpected (?:end|EOF)|not in gzip format|cannot find zipfile|unsupported format|invalid compressed data|crc error|data integrity error|corrupt)/i,
  },
  {
    subcause: 'decode_error',
    certainty: 0.82,
    says: /\binvalid (?:jpe?g|png|gif|bmp|tiff?|image|audio|video|wav|data) (?:data|found)\b|^libpng (?:error|warning): (?:\w+: )?\w*crc|\bBadZipFile\b|\bnot a zip file\b|\bcorrupt jpe?g data\b|\bconflicting (?:doc\.ents|entities|spans|annotations|labels|boxes)\b/i,
  },
  {
    subcause: 'missing_data',
    certainty: 0.78,
    says: /\b(?:input|data|training|record|image|label|text|names?) files?\b.{0,120}\b(?:cannot|can't|could not|couldn't) be (?:opened|read|found)\b|\b(?:failed|error) opening (?:\w+ ){0,2}(?:file|stream|record)\b|\bcould(?:n't| not) open (?:the )?file\b/i,
    unless: /checkpoint|weights?\b|\bmodel\b|module|library|\.(?:so|dll|cfg|ya?ml|py|mdl)\b/i,
  },
  {
    subcause: 'missing_data',
    certainty: 0.8,
    says: /\b(?:can't|cannot|can not|couldn't|could not|unable to|failed to) (?:open|load|find|read) (?:the )?(?:input |training |data )?(?:images?|labels?|audio|annotations?|videos?|masks?|wav|input)\b(?: file)?/i,
    unless: /checkpoint|weights?\b|\bmodel\b|module|library|input (?:tensor|layer|shape|node)/i,
  },
  // What is learned from and what is learned do not fit together, whichever of them is too long.
  {
    subcause: 'decode_error',
    certainty: 0.78,
    says: /\bnot enough time for target|\b(?:targets?|labels?|transcript(?:ion)?s?|label sequence)\b.{0,40}\blonger than (?:the )?(?:input|audio|frames?|logits|features?)|\b(?:input|audio|frames?)\b.{0,30}\bshorter than (?:the )?(?:targets?|labels?|transcript\w*)|\b(?:images?|masks?|audio|transcripts?|alignments?|features?|annotations?|labels?|frames?) and (?:\w+ )?(?:images?|masks?|audio|transcripts?|alignments?|annotations?|labels?|frames?)\b.{0,20}\b(?:differ|mismatch|do(?:es)? not (?:match|correspond|agree))|\b(?:utterances?|files?|images?|samples?) (?:had|have|has) no (?:alignments?|annotations?|transcripts?|labels?|masks?)\b/i,
  },
  {
    subcause: 'decode_error',
    certainty: 0.76,
    says: /\b(?:utterances?(?:-ids?)?|utt2\w+|keys?|ids|entries|rows?|lines|records?|files|timestamps?)\b.{0,60}\b(?:differ\b|(?:are |is )?(?:out of order|not (?:in )?(?:sorted|order)|duplicated|unsorted)|do(?:es)? not (?:agree|correspond))/i,
    unless: /state.?dict|checkpoint|weights?\b|config|parameters?\b|shape|\bmodel\b/i,
  },
  {
    subcause: 'degenerate_labels',
    certainty: 0.78,
    warned: true,
    says: /\b(?:features?|feature values|columns?|labels?|targets?|masks?)\b.{0,20}\b(?:are|is) (?:either |all )?(?:constant|empty|identical|the same|zero)\b|contains? only one class|no meaningful features/i,
  },
  {
    subcause: 'decode_error',
    certainty: 0.74,
    warned: true,
    says: new RegExp(
      String.raw`\b${fed}\b.{0,40}\b${refused}|\b${refused}.{0,30}\b${fed}\b(?!-)|\b(?:entities|annotations|spans|boxes|labels)\b.{0,40}\bcould not be (?:aligned|matched|parsed)`,
      'i',
    ),
    unless:
      /memory|checkpoint|weights?\b|state.?dict|\bmodel\b|shape|\btensors?\b|argument|config|learning rate|loss|gradient|\bgraph\b|module|package|library|symbol|process|kernel|\bcuda\b|http|socket|\b(?:0|no) corrupt|descriptor/i,
  },
];

/** The places that hand a program its data, and what they raise about it rather than about themselves. */
const reader =
  /[/\\](?:\w*_)?data_?(?:sets?|loaders?|modules?)\w*\.py (?!__init__|__len__|main|<)|\.py (?:data_generator|(?:get|load|read|parse|decode)_(?:\w+_)?(?:data|samples?|examples?|images?|annotations?|labels?|boxes))(?: |$)/i;
const aboutValues = /^(?:AssertionError|IndexError|KeyError|ValueError)$/;

/** By thing and complaint; else by the place that reads data. Null where neither says anything. */
export function familyOf({ text, exception, place }: Utterance): FamilyComplaint | null {
  const family = families.find(({ says, unless }) => says.test(text) && !unless?.test(text));
  if (family) return { subcause: family.subcause, certainty: family.certainty, alone: family.alone ?? false };
  return reader.test(place) && aboutValues.test(exception)
    ? { subcause: 'decode_error', certainty: 0.72, alone: false }
    : null;
}

/** What a warning alone can tell. */
export function warnedOf(text: string): Complaint | null {
  const family = families.find(
    ({ says, unless, warned }) => warned && says.test(text) && !unless?.test(text),
  );
  return family ? { subcause: family.subcause, certainty: Math.min(family.certainty, 0.72) } : null;
}

// What a message complains of, and so who must act: a short table over the words, the class of the exception and the place that
// raised it. It judges the messages of the catalogue when that is made, and at run time those no catalogue holds.
import type { Subcause } from '../causes/table.js';

export interface Utterance {
  /** The message, with or without the values it names. */
  readonly text: string;
  /** Class without its module; empty where the text names none. */
  readonly exception: string;
  /** Path of the file that raised it, and the function; empty where unknown. */
  readonly place: string;
}

export interface Complaint {
  readonly subcause: Subcause;
  /** How far the words, or only the place, justify the sub-cause. */
  readonly certainty: number;
}

interface Rule {
  readonly subcause: Subcause;
  readonly certainty: number;
  readonly says?: RegExp;
  readonly unless?: RegExp;
  readonly raises?: RegExp;
  readonly where?: RegExp;
}

/** What is fed in, and the ways of saying that it is not there. */
const data =
  '(?:data ?sets?|data|samples?|examples?|records?|rows?|columns?|features?|images?|audio|videos?|annotations?|labels?|targets?|classes|splits?|shards?|corpus|statistics|stats|csv|parquet|arrow|tf_?records?|batch(?:es)?)';
const absent =
  "(?:not found|not exist|doesn't exist|did(?: not|n't) find|no such|missing|nonexistent|could(?: not|n't) (?:find|open|read)|cannot (?:find|open|read)|can't (?:find|open|read)|unable to (?:find|open|read)|not (?:available|present)|failed to (?:find|open|read))";

const rules: readonly Rule[] = [
  // The machine.
  {
    subcause: 'shared_memory',
    certainty: 0.9,
    says: /shared memory|\bshm\b|<\/torch_\d+/i,
    unless: /kernel|block|per (?:block|sm)|triton/i,
  },
  // What workers hand to each other lies in shared memory.
  {
    subcause: 'shared_memory',
    certainty: 0.88,
    says: /unable to (?:open|write|mmap|resize|truncate)\b/i,
    where: /torch\/multiprocessing\//,
  },
  {
    subcause: 'gpu_capacity',
    certainty: 0.88,
    says: /(?:cuda|gpu|hip|device|xpu|hbm|cublas|cudnn|mps).{0,60}(?:out of memory|alloc_failed|allocation fail)|(?:out of memory|failed to allocate|oom when allocating).{0,80}(?:cuda|gpu|hip|device|hbm)|resource_exhausted|outofmemoryerror|out of memory in memory space hbm|exceeded hbm|hbm (?:usage|requirement)|tried to allocate .{1,40}\bgpu\b/i,
  },
  {
    subcause: 'host_memory',
    certainty: 0.85,
    says: /cannot allocate memory|can't allocate memory|not enough memory|unable to allocate|bad_alloc|failed to allocate|out of memory|memory allocation|low on memory|memory pressure/i,
  },
  { subcause: 'host_memory', certainty: 0.8, raises: /MemoryError$/ },
  {
    subcause: 'disk_full',
    certainty: 0.92,
    says: /no space left|quota exceeded|disk (?:is )?full|insufficient disk|errno 28|errno 122|file write failed/i,
  },
  {
    subcause: 'open_files',
    certainty: 0.92,
    says: /too many open files|errno 24\b|file descriptors? (?:limit|exhausted)/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.8,
    says: /address already in use|eaddrinuse|port .{0,30}(?:in use|taken)/i,
  },
  {
    subcause: 'device_fault',
    certainty: 0.85,
    says: /illegal (?:memory access|instruction|address)|uncorrectable|\becc\b|\bxid\b|unspecified launch failure|misaligned address|fallen off the bus|device (?:is |was )?(?:lost|unavailable)|hardware (?:error|fault)|unable to determine the device handle/i,
  },
  {
    subcause: 'collective_timeout',
    certainty: 0.85,
    says: /(?:nccl|gloo|mpi|collective|process ?group|all_?reduce|all_?gather|barrier|rendezvous|watchdog|store).{0,120}(?:time[d ]*out|hang|hung)|time[d ]*out.{0,80}(?:nccl|gloo|collective|barrier|rendezvous|ranks?|workers?)/i,
  },
  {
    subcause: 'missing_rank',
    certainty: 0.75,
    says: /(?:connection (?:closed|reset|refused)|broken pipe|socket|failed to connect|remote process).{0,100}(?:\branks?\b|store|nccl|gloo)|(?:nccl|gloo|tcpstore|c10d).{0,120}(?:connection|socket|connect|unhandled system)/i,
    unless: /address already/i,
  },
  {
    subcause: 'network',
    certainty: 0.84,
    says: /max retries exceeded|name resolution|could(?: not|n't) (?:connect|reach)|connection to \S+ timed out|read timed out|network is unreachable|initialization has timed out|(?:50[0234]|429) (?:server|client) error/i,
    unless: /nccl|gloo|c10d|rendezvous|process ?group/i,
  },

  // What is installed.
  {
    subcause: 'version_mismatch',
    certainty: 0.85,
    says: /no kernel image|version \S+ not found \(required by|compiled using .{1,40} cannot be run in|driver (?:version )?(?:is |on your system is )?(?:insufficient|too old)|undefined symbol|glibcx?x?_|not compiled with|(?:built|compiled) (?:without|with(?:out)? .{0,20}support)|compute capability|requires? (?:the latest version|.{0,60}(?:version|>=|<=|>|==))|(?:upgrade|downgrade|update) (?:to |your )|(?:loaded|runtime|installed) .{0,60}\bbut .{0,60}(?:compiled|built) (?:with|for|against)|is (?:no longer|not yet) supported|has been removed|was removed|incompatible version|version .{0,60}(?:incompatible|not supported|too old|mismatch|is required)|(?:found|installed|current) version/i,
    unless: /format version/i,
  },
  {
    subcause: 'missing_package',
    certainty: 0.88,
    says: /no module named|there is no package called|pip install|conda install|is not installed|not (?:be )?(?:found|installed).{0,40}(?:package|library|module)|(?:package|library) (?:is |was )?not found|(?:requires?|needs?) (?:the )?.{0,40}(?:package|library|to be installed)|please install|could not (?:be )?import|failed to import|unable to import/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.72,
    says: /cannot import name|has no attribute .{0,80}(?:did you mean|maybe you meant)|got an unexpected keyword argument/i,
  },
  { subcause: 'missing_package', certainty: 0.75, raises: /^(?:ImportError|ModuleNotFoundError)$/ },

  // Saved weights, before files in general.
  {
    subcause: 'checkpoint_mismatch',
    certainty: 0.85,
    says: /state[_ ]dict|(?:missing|unexpected) keys?\b|size mismatch for|(?:checkpoint|pretrained (?:model|weights)|saved model|weights? file).{0,120}(?:not|mismatch|differ|incompatible|expect|fail|missing|invalid|corrupt|shape)|(?:cannot|could not|unable to|failed to|error(?:s)? (?:while|in|when)?).{0,30}(?:load|restor)\w*.{0,60}(?:checkpoint|weights|model|state|optimizer|parameters)/i,
    unless: /no space|metrics?\b/i,
  },
  {
    subcause: 'checkpoint_mismatch',
    certainty: 0.65,
    where:
      /(?:^|[/._ ])(?:checkpoints?|checkpointing|serialization|saving|load_state_dict|load_checkpoint|load_weights|restore|modeling_utils\.py (?:from_pretrained|_load\w*))(?:[/._ ]|$)/i,
    unless: /open|writ|sav/i,
    raises: /^(?:ValueError|RuntimeError|KeyError|OSError|TypeError|UnpicklingError|SafetensorError)$/,
  },

  // What was fed in.
  {
    subcause: 'degenerate_labels',
    certainty: 0.85,
    says: /(?:labels?|targets?|class(?:es)?|\by\b).{0,60}(?:only one|one unique|a single|one class|are equal|constant|same value|all (?:zero|one|equal|the same))|(?:only one|single|one) (?:class|unique value|label)|at least (?:two|2|one) (?:classes|positive|negative)|only (?:contains?|has|have) (?:pos|neg)\w*(?: or (?:pos|neg)\w*)? (?:samples|labels|examples|class)|(?:greater than|more than) one class|least populated class/i,
  },
  {
    subcause: 'label_out_of_range',
    certainty: 0.85,
    says: /(?:unknown|unseen|invalid|unexpected|illegal|bad) (?:class )?(?:labels?|class(?:es)?\b|targets?)|(?:labels?|targets?|class(?:es)?(?: ind\w+)?)\b.{0,50}(?:out of (?:range|bounds)|must be (?:in|within|between|non-?negative|positive|integers?|less|sorted|in sorted|0)|should be (?:in|within|between|0)|not in|exceed|is larger|greater than|not less than|>= ?n_?class|previously unseen|outside)|labels? (?:must|should) be|\b(?:category|class|label)_?ids?\b.{0,40}(?:not exist|not found|not in\b|unknown)/i,
    unless:
      /shape|\bsizes?\b|dimension|\bdtype|type .{0,10}(?:long|float|int)|list of|string|tensor of|\bnumber of (?:classes|labels)\b|\bnum_class/i,
  },
  {
    subcause: 'nan_in_data',
    certainty: 0.84,
    says: /\bcat_features?\b.{0,80}\bnan\b|\bnans?\b(?: values)?.{0,40}\b(?:for|in|of)\b (?:the )?\w* ?(?:targets?|labels?|features?|columns?|data ?sets?)\b|(?:input|\bx\b|\by\b|data|features?|labels?|targets?|columns?|matrix|array|weights? of samples|sample weights?|observations?).{0,60}(?:contains?|has|have|with|found|includes?|is|are).{0,30}(?:\bnans?\b|\binf(?:inity|inite)?\b|missing values?|null values?|\bnulls?\b)|\bcontains? (?:infs?|nans?) or (?:infs?|nans?)\b/i,
    unless: /loss|gradient|grad norm|predict|logits|constraint/i,
  },
  {
    subcause: 'token_out_of_vocabulary',
    certainty: 0.82,
    says: /(?:token|vocab\w*|input_ids?|word|piece|embedding).{0,60}(?:out of (?:range|bounds|vocab\w*)|not in (?:the )?vocab\w*|exceeds?|outside|>= )/i,
    unless: /sequence length|max\w* length|position/i,
  },
  {
    subcause: 'ragged_batch',
    certainty: 0.85,
    says: /stack expects each tensor|equal size.{0,40}entry|each element in list of batch|(?:padding|pad|truncation).{0,60}(?:same length|batched tensors?|equal length)|inhomogeneous|batched? .{0,40}(?:varying|different|inconsistent|unequal) (?:size|shape|length)/i,
  },
  {
    subcause: 'truncated_data',
    certainty: 0.84,
    says: /truncated|unexpected (?:eof|end)|premature(?:ly)?|incomplete (?:file|read|data|image)|end of (?:file|stream) (?:was )?reached|not a (?:zip|gzip)|short read|ran out of (?:input|data)|checksum[ _]?(?:is )?(?:invalid|mismatch|fail\w*|error)|(?:invalid|wrong|bad|mismatch\w*) (?:checksum|hash|crc|md5|sha\d*)\b|hash mismatch|consistency check failed|file should be of size/i,
    unless: /truncation/i,
  },
  // A name that was looked up among those that exist, or a setting that is no literal: somebody wrote it so.
  {
    subcause: 'invalid_configuration',
    certainty: 0.86,
    says: /not registered\b.{0,20}\bavailable\b|\bno registered \w+ with\b|malformed node or string/i,
  },
  {
    subcause: 'decode_error',
    certainty: 0.82,
    says: /(?:cannot|can't|could not|couldn't|unable to|failed to|error|invalid).{0,30}(?:decod(?:e|ing)|identify (?:image|file)|deserializ\w*|tokenizing data|pars(?:e|ing) (?:.{0,20}(?:json|csv|lines?|rows?|records?|files?|images?|examples?|dates?|numbers?|values?|xml|feature)))|(?:cannot|unable to|could not|couldn't) (?:work out|determine|guess|recogni[sz]e) .{0,30}\b(?:file ?type|(?:file|image|audio) ?format|reader|codec|encoding)\b|not contain valid utf|codec can't decode|(?:find|no|unsupported|unknown) (?:a )?(?:format|decoder|image|codec) to read|corrupt|malformed|not (?:a )?valid (?:json|image|utf|csv|parquet)|unknown image file format|exceeds limit of \d+ pixels|file signature not found|bad (?:superblock|object header|symbol table|crc)|\bMDB_(?:CORRUPTED|INVALID|PAGE_NOTFOUND|BAD_\w+)|\bHDF5-DIAG\b|invalid data stream|no element found: line|\bline contains nul\b|field larger than field limit|^trailing data$|couldn't cast array of type|not well-formed \(invalid|expecting (?:value|property|',')|unsupported image|convert string to float/i,
    unless: /argument|config|checkpoint|format version|regex|command/i,
  },
  {
    subcause: 'empty_data',
    certainty: 0.84,
    says: new RegExp(
      String.raw`(?:${data}|loader|sampler|sequence).{0,40}(?:\bis empty|\bare empty|has (?:no|zero|0) |of length 0|num_samples=0|contains? no )|(?:\bno |zero |0 |empty )(?:training |valid |input |test )?(?:${data})\b(?! ?type)|found array with 0|expected more than \d+ (?:value|sample)|^empty vocabulary\b|\bnot? useful features`,
      'i',
    ),
    unless: /memory|column names?|argument|api|argument/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.76,
    says: new RegExp(
      String.raw`(?:config\w*|yaml|\.ya?ml|\.cfg|\.toml|setting|option|argument|parameter file).{0,40}${absent}|${absent}.{0,20}(?:config\w*|\.ya?ml|\.cfg|\.toml)`,
      'i',
    ),
    unless: /\b(?:data ?set|dataset|annotations?|images?)\b.{0,40}not found/i,
  },
  {
    subcause: 'missing_data',
    certainty: 0.82,
    says: new RegExp(
      String.raw`\b${data}\b.{0,60}${absent}|${absent}.{0,60}\b${data}\b|${absent}.{0,120}\.(?:jpe?g|png|tiff?|bmp|csv|jsonl?|txt|npy|npz|parquet|arrow|h5|hdf5|wav|flac|mp3|mp4|avi|tsv|bin|binaryproto|rec|idx|gz|zip|tar|xml|tfrecords?|nii|dcm|mat)\b|\b(?:columns?|fields?|keys?)\b.{0,40}(?:not in (?:the )?(?:data ?set|data ?frame|columns|index|batch))|don't exist|none of \[.{0,120} are in the`,
      'i',
    ),
    unless:
      /attribute|module|state_dict|checkpoint|(?:required|positional) (?:keyword )?arguments?|shape|dimension|device|backend|cuda|method|memory|function|\.py\b/i,
  },

  // Tensors.
  {
    subcause: 'unused_parameters',
    certainty: 0.9,
    says: /expected to have finished reduction|parameters? .{0,40}(?:not used|were unused|did not receive grad)|find_unused_parameters/i,
  },
  {
    subcause: 'in_place_change',
    certainty: 0.9,
    says: /modified by an in-?place|in-?place operation|leaf variable .{0,60}in-?place|a view of a leaf/i,
  },
  {
    subcause: 'graph_reused',
    certainty: 0.9,
    says: /backward through the graph a second time|(?:saved (?:tensors|intermediate)|buffers) have already been freed|specify retain_graph/i,
  },
  {
    subcause: 'frozen_parameters',
    certainty: 0.88,
    says: /does not require grad|doesn't require grad(?!ient)|no(?:ne of the)? .{0,30}(?:trainable|requires?_?grad|gradients? provided)|empty parameter list|requires_grad=false/i,
  },
  {
    subcause: 'device_mismatch',
    certainty: 0.86,
    says: /same device|different devices?|two devices|on (?:the )?(?:device )?(?:cpu|cuda|gpu|meta|mps)\b.{0,40}(?:but|expected|while|and)|(?:expected|must|should) (?:all )?(?:be|to be|reside|live)?.{0,30}on (?:the )?(?:cpu|cuda|gpu|device|same)|device type|cuda tensor|host memory first|meta tensors?|(?:input|tensor|weight|parameter)s? .{0,40}\bdevice\b/i,
    unless: /device_map|available|count|visible|no .{0,10}device|capab/i,
  },
  {
    subcause: 'heads_not_divisible',
    certainty: 0.88,
    says: /(?:divisible|multiple|evenly).{0,40}(?:heads|groups)|(?:heads|embed_dim|hidden_size).{0,60}(?:divisible|multiple)/i,
  },
  // How the work is split over processes is a setting, and so is how large a part each gets.
  {
    subcause: 'invalid_configuration',
    certainty: 0.84,
    says: /(?:world_?size|parallel\w*|batch_?size|micro_?batch\w*|num_\w+|number of \w+).{0,60}\b(?:not|be|evenly) divisible\b/i,
    unless: /\btensor\b.{0,20}\bdivisible|heads|groups|channels/i,
  },
  {
    subcause: 'position_table',
    certainty: 0.82,
    says: /(?:sequence|input|prompt|context|text|token).{0,30}(?:length|longer|long).{0,60}(?:maximum|max|limit|block.?size|exceed|context|position|than)|(?:block.?size|max_position|position(?:al)? (?:embedding|id|encoding)s?|context (?:window|length)).{0,60}(?:exceed|only|longer|smaller|less|out of)/i,
    unless: /different|mismatch|match/i,
  },
  {
    subcause: 'dtype_mismatch',
    certainty: 0.84,
    says: /\bdtypes?\b|data ?types?\b|scalar type|floating[- ]point|complex tensor|integer tensor|not implemented for ['"`]?(?:half|bfloat16|long|int|bool|float|double|char|byte|complex|float8)|(?:expected|must be|should be|got|found|but).{0,40}\b(?:float(?:16|32|64)?|long|int(?:8|16|32|64)|half|bfloat16|double|bool(?:ean)?)\b(?: tensors?| type|$|[.,;! ])|cast(?:ed)? .{0,30}(?:to|from)|unscale fp16/i,
    unless:
      /shape|\bsizes?\b|dimension|\bstring|\bdict|keyword|(?:must be|should be|expected) an? (?:int|float|bool|str)\b|must be (?:a )?(?:positive|non-?negative)|argument/i,
  },
  {
    subcause: 'shape_mismatch',
    certainty: 0.82,
    says: /\bshapes?\b|\bsizes?\b|dimension(?:s|al)?\b|\bdims?\b|\bndims?\b|n-?d (?:tensor|array|input)|\d-?d\b|square matri|broadcast|batch_size|converted to (?:a )?(?:python )?scalar|number of (?:channels|elements|subscripts|features|columns|rows|targets|samples|dims|dimensions)|channels|inconsistent numbers|same (?:length|number of)|length mismatch|lengths? .{0,30}(?:match|differ|equal|same)|(?:not|cannot|can't) .{0,20}(?:reshape|view|expand|multiplied)|matmul|matrices/i,
    unless:
      /(?:batch|chunk|group|block|world|pool|kernel|file|vocab|micro_batch|step|window|queue|cache|buffer|bucket|page)[_ ]?sizes? (?:must|should|cannot|is not|has to|needs)|world.?size|memory|learning rate|file size|disk/i,
  },

  // Numbers.
  {
    subcause: 'loss_scale_collapse',
    certainty: 0.9,
    says: /(?:loss )?scale.{0,40}(?:minimum|underflow|too (?:small|low))|minimum loss scale/i,
  },
  {
    subcause: 'divergence',
    certainty: 0.78,
    says: /diverge|\bloss (?:has )?exploded/i,
    unless: /will be|may be|could be|check(?:ing)? (?:for|if|whether)|constraint|reward/i,
  },
  // A loss that is no number says that it broke, and nothing about what broke it: data, an operation, a rate, half precision.
  {
    subcause: 'divergence',
    certainty: 0.45,
    says: /(?:loss|training).{0,60}(?:became|becomes|is|was|went|got|contains?|exploded)?.{0,20}(?:\bnan\b|\binf(?:inite|inity)?\b|non-?finite)|(?:boxes|scores|anchors|output).{0,40}(?:inf\/nan|nan\/inf)/i,
    unless: /will be|may be|could be|check(?:ing)? (?:for|if|whether)|constraint|reward/i,
  },
  { subcause: 'divergence', certainty: 0.45, raises: /^FloatingPointError$/ },

  // Indexes: of a table the data points into, or of a list in the author's own code.
  {
    subcause: 'index_out_of_range',
    certainty: 0.82,
    says: /\bindices\[[\d, ]+\] = -?\d+ is not in \[/,
  },
  {
    subcause: 'index_out_of_range',
    certainty: 0.72,
    says: /index(?:es)? .{0,40}out of (?:range|bounds)|out of (?:range|bounds)|device-side assert|indices .{0,40}(?:must be|out of|exceed|should be)/i,
    where: /embedding|sparse|loss|gather|scatter|one_hot|index_select|target/i,
  },

  // What the author wrote down.
  {
    subcause: 'invalid_configuration',
    certainty: 0.76,
    raises:
      /^(?:ConfigError|ConfigurationError|MisconfigurationException|ConfigAttributeError|ConfigKeyError|ValidationError|ArgumentError|DeepSpeedConfigError|InvalidRequirement|MissingMandatoryValue|ConfigCompositionException|OverrideParseException|StrictDataclass\w*)$/,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.74,
    says: /unrecognized arguments?|invalid choice|required arguments?:|the following arguments are required|mutually exclusive|only one of|either .{0,80} or .{0,60}(?:must|should|but not)|(?:cannot|can't|not) (?:be )?(?:used|combined?|mixed?|set|specified|passed?|use) .{0,60}(?:with|together|both|when|at the same time|and)|is not (?:a )?(?:valid|supported|recognized|known|available)|not supported|unsupported|(?:does not|doesn't) support|(?:invalid|unknown|unrecognized|illegal|bad) .{0,60}(?:option|value|argument|parameter|config|name|backend|mode|type|strategy|optimizer|objective|metric|loss|activation|scheduler|precision|device|key)|incompatible|must be (?:one of|set|specified|a positive|positive|non-?negative|greater|less|larger|smaller|in range|between|in \[|in \(|either|>|<)|should be (?:one of|set|a positive|positive|non-?negative|greater|less|between|in \[|>|<)|expected .{0,30}to be one of|(?:need|have|has) to (?:be )?(?:set|specif|provide|pass)|please (?:set|specify|provide|pass|use|choose)|you (?:must|should|need to|have to) (?:set|specify|provide|pass|use|choose|define|call)/i,
    raises:
      /^(?:ValueError|TypeError|RuntimeError|KeyError|NotImplementedError|AssertionError|Exception|AttributeError|\w*Error)?$/,
  },

  {
    subcause: 'code_error',
    certainty: 0.84,
    says: /before the current process has finished its bootstrapping|re-initialize CUDA in forked subprocess|daemonic processes are not allowed/,
  },

  // Nothing in the words: what reads files refuses what it finds in them.
  {
    subcause: 'decode_error',
    certainty: 0.72,
    where:
      /[/\\](?:npyio|_npyio_impl|tarfile|zipfile|gzip|soundfile)\.py|[/\\](?:PIL|cv2|h5py|pyarrow|librosa|torchaudio)[/\\]|[/\\](?:json|csv)[/\\]|pandas[/\\]io[/\\]/,
    unless: /argument|keyword|memory|no such file|not found/i,
    raises: /^(?:ValueError|RuntimeError|OSError|IndexError|EOFError|KeyError|ReadError|Exception)$/,
  },

  // Nothing in the words: a library's layers, gradients and loops refuse what the author's code handed them.
  {
    subcause: 'code_error',
    certainty: 0.66,
    where:
      /torch\/(?:autograd|nn|_tensor|functional|optim|amp|multiprocessing|cuda\/__init__)|keras\/src\/(?:layers|models|ops|trainers|losses|optimizers)|transformers\/(?:modeling_|trainer|generation)|lightning\/(?:pytorch|fabric)\/(?:core|loops|trainer)|accelerate\/accelerator/,
    raises: /^(?:RuntimeError|ValueError|TypeError|NotImplementedError|AssertionError|Exception)$/,
  },
];

/** By words and place; null where neither says anything. */
export function complaintOf({ text, exception, place }: Utterance): Complaint | null {
  for (const rule of rules) {
    if (rule.says && !rule.says.test(text)) continue;
    if (rule.raises && !rule.raises.test(exception)) continue;
    if (rule.where && !rule.where.test(place)) continue;
    if (rule.unless?.test(text)) continue;
    return refine(rule, text, place);
  }
  return null;
}

/** Sizes that do not fit while samples are put together are the samples' sizes. */
function refine({ subcause, certainty }: Rule, text: string, place: string): Complaint {
  if (subcause === 'shape_mismatch' && /collate|fetch\.py|convert_to_tensors/.test(place))
    return { subcause: 'ragged_batch', certainty };
  // An optimizer makes its state in the sizes of the weights: other sizes came from a file.
  if (subcause === 'shape_mismatch' && /[/\\]optim(?:izers?)?[/\\]/.test(place))
    return { subcause: 'checkpoint_mismatch', certainty };
  if (subcause === 'missing_data' && isCheckpoint(text))
    return { subcause: 'checkpoint_mismatch', certainty };
  return { subcause, certainty };
}

function isCheckpoint(text: string): boolean {
  return /\.(?:pth?|ckpt|safetensors)\b|model\w*\.bin\b|checkpoint|weights/i.test(text);
}

// Words that are public already: those that several libraries use in their messages and signatures, and the texts that they
// take as options. Read off the sources of CPython 3.11 and of NumPy, pandas, polars, SciPy, scikit-learn, statsmodels, PyTorch,
// Keras, Lightning, transformers, datasets, accelerate, XGBoost, LightGBM, Matplotlib, seaborn, Pillow, requests and
// huggingface_hub: a word counts from three libraries on, an option from two on or where a signature lists it.
// Some usual words of tables and notebooks (fare, price, latitude) were added by hand.

/** Single words in lower case. */
export const words = listed(`
  ab abc able abort aborted aborting about above abs absent absolute abstained abstains abstract ac acc accelerator
  accept acceptable accepted accepts access accessed accessing accessor accident according account accum accumulate
  accumulation accumulator accuracy accurate achieved acquire across act action actions activate activated activation
  activations active activity actual actually adapt adapter adapters adaptive add added adding addition additional
  addoption addr address addresses adjust adjusted adjusting admission advance affect affects affine affinity
  aforementioned after again against age agent ages agg aggregate aggregation agree ahead airline airport alcohol algo
  algorithm alias aliased aliases align aligned alignment alive all allclose allgather allocate allocated allocation
  allow allowance allowed allows almost along alongside alpha already also alt alternative alternatively although
  altitude always amax ambiguous amd amin among amount amounts amp amt an analysis analyze anchor and angle animal
  annotate annotated annotation annotations annual another answer answers anti any anymore anything anyway apache
  apartment api apis app appear appears append appended appending apple applicable application applied apply applying
  approach appropriate approx approximate approximation april ar arange arbitrary arc arch architecture architectures
  archive archives are area arg argmax argmin argname argpartition args argsort argument arguments argv arity arm
  around arr array arrays arrival arrow article artifact artifacts as asarray ascending ascii asdict ask asked aspect
  assemble assert asset assets assign assigned assigning assignment associated assume assumes assuming ast astype
  async asynchronous at atleast atol atomic attach attached attack attempt attempted attempting attempts attendance
  attention attn attr attribute attributes attribution attrs auc audio audit augment august auth author auto autocast
  automatic automatically autumn aux auxiliary available average averaging avg avoid await aware ax axes axis back
  backed backend backends background backup backward backwards bad badly balance balanced band bands bandwidth bank
  bar bare barrier bars bartlett base based baseline basement bases basic basis batch batched batches batching
  bathroom bathrooms battery bbox bc be because become bedroom bedrooms been before beforehand begin beginning
  behavior behaviour being below benefit bernoulli bert best beta better between beyond bf bfloat bias biased big
  bigger bike bilinear bill bin binary bincount bind binding binomial binop bins birth bisect bit bits bitsandbytes
  bitwise bivariate black blackman blank blend blob block blocked blocking blocks blocksize blood blue bmat bn bnb
  board body bold bonus book booking books bool boolean booleans boost bootstrap border borough both bottom bound
  boundaries boundary bounded bounding bounds box boxes boxplot bp bracket branch branches brand bread break
  breakpoint breaks breed broadcast broadcastable broken brown bs bucket buckets budget buf buffer buffers bug build
  builder building built builtin builtins business but buyer bw by bypass byte byteorder bytes bytesio byteswap cabin
  cache cached caching calc calculate calculated calculating calculation calibration call callable callables callback
  callbacks called caller callers calling calls campaign can cancel cancer candidate candidates cannot canonical
  canonicalize cap capabilities capability capacity capture captured capturing car cards care carrier carries cars
  cartesian case cases cash cast casted casting cat catalog catch categorical categories category causal cause caused
  causes causing cb cc cdf ceil cell cells center centered central century certain cfg cg ch chain chained change
  changed changes changing channel channels char character characters charge charges chars charset cheap check checked
  checker checking checkpoint checkpointed checkpointing checkpoints checks checksum chest chi child children choice
  choices cholesky cholesterol choose chose chosen chunk chunked chunks chunksize churn ci cifar circle circular
  cities city claim claims clamp clarity class classes classification classifier classproperty clean cleaning cleanup
  clear clearing clf cli clicks client climate clip clipboard clipped clipping clock clocks clone cloning close closed
  closest closing closure cloud cls club cluster clusters cm cmap cmd cmpkey cnn cnt co code codec codes coef coeff
  coefficient coefficients coeffs coerce coffee col collapse collate collect collected collecting collection
  collections collective color colorbar colormap colors cols column columns com combination combine combined come
  comet comm comma command commands comment comments commercial commit committed common communication community comp
  companion company compare comparing comparison comparisons compat compatibility compatible compilation compile
  compiled compiler compiling complement complete completed completely completion complex component components compose
  compound compress compressed compression computation compute computed computing concat concatenate concatenated
  concatenating concatenation conclusive concrete concurrency concurrent cond conda condition conditional conditioned
  conditions conf confidence config configs configuration configurations configure configured configuring confirm
  conflict conflicting conflicts conj conjugate conjunction conn connect connected connection consecutive consider
  considered consist consistency consistent console consolidate const constant constants constrained constraint
  constraints construct constructed constructing construction constructor consume consumed consumption contact contain
  contained container containers containing contains content contents context contiguous continent continue continuing
  continuous contour contract control controller conv convention converge converged convergence conversion conversions
  convert converted converter converters convertible converting convolution coo coord coordinate coordinates coords
  copied copy copying core cores corners corr corrcoef correct correction correctly correlate correlation correspond
  corresponding corresponds corrupt corrupted cos cosine cost costs could count counter countries country counts
  county coupon course court cov covariance cover coverage cp cpp cpu cpus crash crashed crashes create created
  creating creation credit crime criteria criterion critical crop crops cross cs csc csr css csv ctor ctx ctype ctypes
  cu cubic cuda cudnn cum cumprod cumsum cumulative cur curr currency current currently cursor curve curves custom
  customer customers cut cutoff cv cvt cwd cy cycle cyclic cython daily damage dask data database dataclass
  dataclasses dataframe dataframes dataloader dataset datasets datatype date dates datetime dateutil day days db dct
  dd ddof ddp dead deal death deaths debt debug debugging dec decade decay december decided decides decimal decimals
  decision declaration declared declares decode decoded decoder decoding decomp decompose decomposition decompress
  decorate decorated decorator decrease decreasing dedent deduplicate deep deepcopy deepspeed def default defaulting
  defaults deferred define defined defines defining definite definition deg degree degrees del delattr delay delegate
  delete deleted deleting deletion delim delimiter delitem delivery delta deltas demand den denom denominator dense
  densify density dep department departure depend dependencies dependency dependent depending depends deposit
  deprecate deprecated deprecation deps depth depths der derivative derivatives derive derived desc descending descent
  descr describe described description descriptor descriptors deserialize design designed desired despite dest
  destination destroy det detach detail detailed details detect detected detection determine determined deterministic
  dev developer developers development deviation device devicemesh devices df dfs dft diabetes diag diagnosis diagonal
  diagram dialect diameter dict dictionaries dictionary dicts did died diet diff differ difference differences
  different differing differs digest digit digits dim dimension dimensional dimensionality dimensions dims dir direct
  direction directly directories directory dirichlet dirname dirs disable disabled disabling disallowed disambiguate
  discard discarding disconnected discount discover discrete disease disk disp dispatch dispatcher display dist
  distance distances distinct distr distribute distributed distribution distributions district div divergence divide
  divisible division divisor divmod dl dll dn do doc docs docstring docstrings doctest doctor document documentation
  documents does doing dollar domain done dose dot dotted double doubt down download downloaded downloading downstream
  dp dpi drain draw drive driver drop dropout dropped dropping drops dry ds dsplit dst dt dtensor dtype dtypes dual
  due dummy dump dumps dup duplicate duplicated duplicates duration durations during dx dynamic dynamically dynamo
  each eager earlier early earnings easily east ecdf ed edge edges edit editor education effect effective effectively
  effects efficiency efficient eig eigenvalues eigh eigvals einsum either elapsed elastic electricity elem element
  elements elementwise elems elevation ellipsis else em embarked embed embedded embedding embeddings emission
  emissions emit employee employees employment empty en enable enabled enabling enc encode encoded encoder encoding
  encodings encounter encountered end ended endian ending endpoint ends energy enforce engine enough enqueue ensemble
  ensure enter entered entering entire entirely entries entropy entry entrypoint enum env envelope environ environment
  eof epoch epochs eps epsilon eq equal equality equalize equally equals equation equipment equiv equivalent erf err
  error errorbar errors es escape escapes especially est estate estimate estimated estimation estimator estimators eta
  etc ev eval evaluate evaluated evaluation even evenly event events every everything ex exact exactly exam example
  examples exc exceed exceeded exceeds excel except exception exceptions exchange exclude exclusion exclusive exec
  executable execute executed executing execution executor exhausted exist existing exists exit exited exiting exp
  expand expanded expansion expect expected expecting expects expense expenses experience experiment experimental
  experiments explicit explicitly explode exponent exponential export exportable exported exporter exporting expose
  exposure expr expressed expression ext extend extended extending extension extensions extent external extra extract
  extracted extraction extractor extras extrema eye fa face factor factorization factors factory fail failed failing
  fails failure failures fake fall fallback falling false families family far fare farm fast fat fatal father fault
  favor fc fd feats feature features february feedback female fetch fetching few fewer ff fft fftfreq fftn fftshift
  fget fh field fields fig figsize figure file filename filenames fileno fileobj filepath files filesystem filetype
  fill fillcolor filled fillvalue film filt filter filtered filtering filters final finalize finance find finder
  finding fine finfo finish finished finite fire first fit fitted fitting fix fixed fixes flag flags flash flat
  flatten flattened flattening flavor flex flight flights flip float floating floats floor floordiv flow flower flush
  fmt fn fname fns fobj fold folder folds follow followed following follows font fontsize foo food foot footer
  footprint for forbidden force forced forcing forecast forest forget fork forked forking form format formats
  formatted formatter formatters formatting formula fortran forward found four fp fpath frac fraction fractional
  fragment frame frames framework fraud free freedom freeze freq frequency friday from fromfile fromkeys front frozen
  fruit fs fsdp fset fuel fulfill full fullname fully fun func funcname funcs function functional functionality
  functions further fused future futures fwd fx gain game gamma gan gap garage gas gated gather gaussian gave gb gc
  gcd ge gelu gen gender general generalized generate generated generates generating generation generator generators
  generic genre genuinely geometric geometry get getattr getattribute getitem getstate getter getting github give
  given glob global globally globals go going gold goods google got gpt gpu gpus grab grad grade grades gradient
  gradients grads gram graph graphs graphviz greater greedy green grid gridsize gross ground group groupby grouped
  grouping groups grow growth gru gt guarantee guaranteed guard guarded guess guest guide guides gzip had half hamming
  hand handle handled handler handlers handles handling hangs hanning happen happens hard has hash hashed hashing have
  having hdf head header headers heads health heart heat height help helper hence here hess hessian heuristic hex hf
  hfft hi hidden hide hierarchical high higher highest highlight highly hint hints hist histogram history hold holder
  holiday home homeowner homogeneous hook hooks hop horizontal horsepower hospital host hosted hostname hosts hot
  hotel hour hourly hours house household households housing how however hpu hsplit hstack hsv html http https hub
  huber hugging huggingface humidity hypertension hypothesis iadd ice icon id ident identical identifier identifiers
  identify identity idle ids idx if ifft ifftn ifftshift ignore ignored ignores ignoring ihfft iinfo ij ill illegal
  illness ilp im imag image images imaginary img impact impl implement implementation implementations implemented
  implementing implements implicit implicitly implies import importance imported importing imports impossible improper
  improve improvement imul in inc incident include included includes including inclusive income incompatible
  incomplete inconclusive inconsistencies inconsistent incorrect incorrectly increase increased increasing increment
  incremental ind indent independent independently index indexed indexer indexes indexing indicate indicates indicator
  indices individual individually indptr industry inefficient inexact inf infection infer inference inferred inferring
  infinite infinity inflation info information infos infs ing ingredient inherit inheritance inherited inheriting init
  initial initialization initialize initialized initializing inject inline inner inp inplace input inputs insert
  inside inspect inst install installation installed installing instance instancecheck instances instantiate
  instantiated instantiating instantiation instead instruction instructions insufficient insulin insurance int integer
  integers integral integration integrity intel intend intended interaction interactive intercept interest interface
  interleave interleaving intermediate internal internally internals internet interp interpolate interpolated
  interpolation interpret interpreted interpreter interrupt interrupted intersect intersection interval intervals into
  ints inv invalid invalidate invariant inventory inverse invert inverted invertible investment invocation invoice io
  ior ip ipynb ipython ir irfft irfftn iris is isclose isfinite isin isinstance island isnan iso isolated isolation
  isscalar issubclass issue issues isub it item items itemsize iter iterable iterabledataset iterables iterate
  iterating iteration iterations iterative iterator its itself ix jacobian january jax jinja jit jitter job jobs join
  joined joining joint journey jpeg jpg json judge july june just kaiser kappa kde keep keepdims keeping keeps kept
  kernel kernels key keyboardinterrupt keys keyword keywords kill kind kitchen kl klass knn knots know known kron kth
  kw kwarg kwargs kwd kwds label labels labor lack lacks ladder lag lake lambda lanczos land landing landlock lang
  language laplace large larger largest last lat later latest latex latin latitude latter launch launched launcher
  launching law layer layers layout lazy lb lbfgs lc le lead leading leads leaf leap learn learning least leave leaves
  leaving left legacy legal legend len length lengths less let letter level levels lhs liability lib libraries library
  license life light like likely likes lim limit limitation limited limits lin linalg line linear lineno lines
  linewidth link linkage linking links linspace linux list listed listify listing lists literal live living ll lm ln
  lng lo load loaded loader loading loads loan loans lobpcg loc local localize locally locals locate located location
  locations locator lock locked log logdet logdir logged logger logging logic logical login logistic logit logits
  loglog logs logspace logsumexp lon long longer longitude look looking looks lookup loop loops loss losses lost low
  lower lowercase lowering lp lr lrs lru ls lshift lst lstm lstrip lstsq lt lu luggage ma mac machine made mae mag
  magic mahalanobis main maintained maintenance major make makes making male malformed malignant manage managed
  manager mandatory manifest manual manually manufacturer many map mapped mapper mapping mappings maps march margin
  marginal margins marital mark marked marker markers market marketing married mask masked maskedarray masking masks
  mass master mat match matched matcher matches matching material materialize math matmul matplotlib matrices matrix
  max maximum maxiter maxsize maxval may maybe mb md meal mean meaning meaningful means meant meanwhile measure meat
  mechanism median medical medicine mem member members membership memo memoize memory men merchant merge merged
  merging mesh meshgrid message messages met meta metadata meth method methods metric metrics mi micro microsecond mid
  middle might migrate migration mileage milk min minimal minimize minimum minlength minmax minor minus minute minutes
  minval mirror mismatch mismatched mismatches mismatching missing mix mixed mixin mixing mixture mkdir mkl ml mle
  mlflow mlp mm mmap mnist mock mocked mod mode model models modes modification modified modifier modify modname
  module modulename modules modulo moisture moment moments momentum monday money monitor monitoring monotonic
  monotonically month monthly months more mortality most mother motor mount move moved movie movies moving mp mpl mps
  ms mse msg msvc msvcrt mtime mu much mul mult multi multiclass multidimensional multiline multinomial multiple
  multiplication multiplicative multiplier multiply multiprocessing multivariate music must mutable mutate mutually mv
  my na naive name named namedtuple names namespace namespaces naming nan nanmax nanmean nanmin nans nansum nargs
  narrow nat nation national native natively natural nb nbins nbits nbytes nccl ncols nd ndarray ndigits ndim ne near
  nearest necessary need needed needs neg negate negative neginf neighborhood neighbors neither nest nested nesting
  net network never new newer newline news newshape newton next nf night nn no node nodes noise nominal non none
  nonnegative nonzero noop nop nor norm normal normalization normalize normalized normalizer normalizing normally
  normals normed norms north not note notebook nothing notify november now np npoints npy npz nrows ns nt nth nu null
  nullable num number numbers numerator numeric numerical numpy nums nutrition nvidia obj object objective objects
  objs objtype obs observation observed obtained occupation occur occurred occurrence occurs october of off offending
  office offline offload offloaded offset offsets often oil ok old older omitted omp on once one ones online only onnx
  onwards oom op opcode open opened opening openmp operand operands operating operation operations operator operators
  ops opt optim optimal optimization optimize optimized optimizer optimizers option optional options opts or ord order
  ordered ordering orders ordinal org orient orientation orig origin original originally orthogonal os other others
  otherwise our out outcome outdated outer outfile outlier outline output outputs outside ov over overall overflow
  overhead overlap overlapping overlay overload overridden override overrides overriding overwrite overwriting
  overwritten own owner oxygen pa pack package packages packed pad padded padding page pages paid pain pair paired
  pairs pairwise palette pandas parallel parallelism parallelize param parameter parameters parametric params parent
  parenthesis parents parking parquet parse parsed parser parsing part partial partition partitions partner parts
  party pass passed passenger passengers passing past paste patch patched patches path pathlike paths patience patient
  pattern patterns pause payload payment payments pca pct pd pdf peak pearson peek penalty pending people pep per
  percent percentage percentile percentiles perfect perform performance performed performing perhaps period periodic
  periods perm permission permissions permitted permutation permute permuted persistent person petal phase phi photo
  physical pick pickle pickled pickler pickling pid piecewise pil pillow pin pinv pip pipe pipeline pivot pixel pixels
  pkg pkl pl place placeholder placement plain plan plane plant plateau platform player players please plot plots
  plotting plt plugin plugins plural plus png point pointer points poisson polar polars police policy pollution poly
  polynomial pool pooling poor pop popitem populate populated population port ports pos position positional positions
  positive possible possibly post postfix postprocess postrelease posts potential potentially pow power pp pprint pr
  practice pre prec precipitation precision precomputed pred predicate predict predicted predicting prediction
  predictions predictor predicts preds prefer preferred prefetch prefix prefixes pregnant premium prep prepare
  prepared preparing prepend preprocess preprocessor prerelease prescription present preserve pressure pretrained
  pretty prev prevent previous previously price prices primary primitive print printer printing prior privacy private
  prob proba probabilities probability probably problem problems probs proc proceed proceeding process processed
  processes processing prod produce produced produces product production products profession profile profiler
  profiling profit prog program progress proj project projection promote promotion prompt prop propagate propagation
  proper properly properties property props protein proto protocol provide provided provider provides providing
  province proxies proxy prune pruning ps psd pseudo pt ptp ptr public pull purchase purchases pure purge push put
  putting py pyarrow pypi pytest python pytorch pytree qr qt qty quad qualified quality quant quantile quantiles
  quantity quantization quantize quantized quantizer quarter queries query question queue queues quiet quote quotes
  race rad radd radians radius ragged rain rainfall raise raised raises ran rand randint random randomness randomstate
  range ranges rank ranking ranks rate rates rather rating ratings ratio rational ratios ravel raw rc rcond re reach
  reached reaching read readable reader reading readline readme readonly readthedocs ready real reason reasons rebate
  rebuild rec receive received recent recipe recognized recommend recommended recompute reconstruct record recorded
  recording records rect rectangle recurrent recurse recursion recursive recursively recv red redirect redirects
  reduce reduced reducelronplateau reducing reduction redundant ref refer reference referenced references referencing
  refine reflect refresh refs refused refusing reg regex region regions register registered registering registration
  registry regression regressor regressors regular regularization reject rejection rel related relative release
  released relevant reliable relies reload reloaded reloading relu rely remain remainder remaining remap remote
  removal remove removed removing rename renamed render renderer rent rental reorder rep repeat repeated repeats
  repetition repl replace replaced replacement replacements replacing replica replicate repo report reported
  repository repr represent representation representing reps req request requested requesting requests require
  required requirement requirements requires reraise res resample resampling rescale reservation reserve reserved
  reset resetting reshape reshard residual residuals resize resizing resnet resolution resolve resolved resolver
  resource resources resp respect respectively response responses rest restart restarted restarts restaurant restore
  restored restoring restricted result resulted resulting results resume resuming ret retail retain retention retries
  retrieve retry retrying return returncode returned returning returns reuse revenue reverse reversed revert review
  reviews revision revisions rewind rewrite rfft rfftfreq rfftn rfloordiv rgb rgba rho rhs rich right rindex risk
  river rk rm rmatmul rmod rms rmse rmul rng rnn road robust roc rocm role roll rolling room rooms root roots ror rot
  rotate rotation round rounded rounding rounds route routed router routine routing row rows rpow rshift rstrip rsub
  rt rtol rtruediv rule rules run rung rungs runner running runs runtime rw rxor safe safely safetensors safety sale
  sales same sample sampled sampler samples sampling sanitize sanity satisfy saturday save saved saving savings sc
  scalar scalars scale scaled scaler scales scaling scan scatter schedule scheduled scheduler scheduling schema scheme
  school sci science scikit scipy scope score scores scratch screen script scripts search searched searchsorted season
  seat seats sec second seconds secs section sections security see seed seeds seeing seek seekable seem seems seen
  segment segments select selected selecting selection selector self seller semi send sending sense sensitive
  sensitivity sensor sent sentence sentiment sentinel sep sepal separate separated separately separator separators
  september seq sequence sequences sequential ser serial serializable serialization serialize serialized series serve
  server service services serving session set setattr setdefault setitem sets setstate setter setting settings setup
  several sex sf sgd sha shallow shape shaped shapes shard sharded sharding shards share shared sharing shelf shell
  shift shifts ship shipping shop shopping short shortened shorter shot should show shrink shuffle shuffled shuffling
  shutdown si side sides sig sigma sigmoid sign signal signature signatures signed significant significantly signum
  sigterm silence silent silently silu silverman similarity simple simplify simulate simultaneously sin sinc since
  single singleton singular sink site size sized sizeof sizes skew skill skip skipped skipping skips sklearn sl sleep
  slice sliced slices slicing sliding slogdet slope slots slow slower sm small smaller smallest smart smoker smoking
  smooth smoothing snapshot snow sns so social socket sockets soft softmax softplus soil solar sold solution solve
  solved solver solving some something song soon sorry sort sorted sorter sorting source sources south sp space spaces
  spacing span spans spared sparse sparsify sparsity spatial spawn spawning spec special species specific specifically
  specification specified specifier specifies specify specifying specs spectral spectrum speech speed spending spent
  spherical spline split splitlines splits splitter splitting sport spread spring sqft sql sqrt square squared squares
  squeeze src ss sse ssl st stable stack stacked stacklevel staff stage staging stamp standalone standard standardize
  star stars start started starting starts startup stat state stateful stateless statement states static station
  stations statistics stats status stay std stddev stderr stdin stdout stem step steps sticky still stochastic stock
  stop stopped stopping storage store stored stores storing story str strategies strategy stratified stream streaming
  streams street strength strftime strict strictly stride strided strides string stringify strings strip stroke
  stronger strongly struct structure structured structures stub student students study style styles sub subclass
  subclassed subclasses subclassing subdirectory subfolder subject submit submodule submodules subplot subplots
  subprocess subprocesses subsample subscript subscriptable subscription subscripts subsequent subset substitution
  subtract subtype succeed success successful successfully such sufficient suffix sugar suggest suggestion suitable
  sulfur sum summarize summary sunday super supplied supplier supply support supported supports supposed suppress
  suppressed sure surface survey survival survived svd svdvals svm swap swapaxes swapping switch switched switching
  sym symbol symbolic symbols symlink symmetric symptom sync synced synchronization synchronize synchronized syntax
  sys system systems sz tab table tables tag tags tail tainted take taken takes taking tan tanh tar target targets
  task tasks tax taxi tb teacher team tear teardown tee tell temp temperature temperatures template templates temporal
  temporary tensor tensorboard tensorboardx tensordot tensorflow tensors tenure term terminal terminate terminated
  terminating termination terms test tested tester testing tests text texts texture tf tgt th than that the their them
  theme then there therefore these theta they thickness think third this those though thread threads three thresh
  threshold thresholds through throw thursday thus tick ticket tickets ticks tie tied ties tile time timed timedelta
  timeout timer times timestamp timestamps timezone tiny tip titanic title titles tm tmp to together toggle token
  tokenize tokenizer tokenizing tokens tol tolerance tolist toll toml too took tool tools top topk torch torchao
  torchvision tostring total tour town tp tpu tqdm trace traceback traced traces tracing track tracker tracking
  traffic trailing train trainable trained trainer training trans transaction transactions transfer transform
  transformation transformed transformer transformers transforms transition translate translation transport transpose
  transposed trapezoid travel traversal traverse treated treating treatment tree trees tri trials triangular tried
  trigger triggered tril trim trimmed trip trips triu truck true truediv trunc truncate truncated truncation trust
  trusted truth try trying ts tsne tuesday tumor tuning tup tuple tuples turn turned turnover twice twin two tx txt ty
  typ type typecode typed typeerror typename types typically typing tz ub udf ufunc uint un unable unary unavailable
  unbatched unchanged undecided undef undefined under underlying underscore understand understood undo unequal uneven
  unexpected unexpectedly unflatten unfold unhandled unicode uniform unindented uninitialized union uniq unique
  uniquely unit units univariate university unix unknown unless unnecessary unordered unpack unpacked unpacking
  unpickle unpickler unpickling unravel unreachable unreached unreadable unrecognized unregister unsafe unscale unset
  unsigned unsqueeze unstable unstack unstructured unsupported until unused unwrap up upcast update updated updates
  updating upgrade upgrading upload uploading uploads upon upper upstream uri url urllib urls us usable usage use used
  useful user username users uses using usually utf util utility utilize utils uuid uv vacancy vae val valid validate
  validated validation validator vals value valued valueerror values var varargs variable variables variance variant
  vars vary ve vec vecdot vector vectorize vectorized vectors vehicle vehicles velocity vendor ver verbose verbosity
  verdict verification verify versa version versions vertical vertices very vgg via vice victim video view views
  violated violation virtual visibility visible visit visited visitor visitors visits visual visualization vmax vmin
  vocab vocabulary voltage volume vote votes vs vsplit vstack wage wait waiting walk wandb want wanted warehouse warm
  warmup warn warning warnings warns warranty was waste watch water wave way we weak weaker weather web wednesday week
  weekday weekend weekly weeks weight weighted weights well were west what wheat when whence whenever where whereas
  whether which while white whitespace whole whose width widths wildcard will win wind window windows wine winner
  winter wise wish with within without women wood word words work worker workers working works world worth would wrap
  wrapped wrapper wrapping writable write writeable writer writing written wrong wrote ws wt www wx xd xi xk xla
  xlabel xlim xml xor xp xpu xs xt xxx xy yaml year yearly years yellow yes yet yield yielded yields ylabel ylim you
  young your yourself yr ys yt zero zeros zfill zip zipfile zone zoom
`);

/** Whole texts that signatures accept: 'mean', 'inner', 'cuda'. */
export const options = listed(`
  A ASCII ASCII_BORDERS_ONLY ASCII_BORDERS_ONLY_CONDENSED ASCII_FULL ASCII_FULL_CONDENSED ASCII_HORIZONTAL_ONLY
  ASCII_MARKDOWN ASCII_NO_BORDERS AUC AUCCurve AUCSummationMethod AUTO AVRO Accuracy Activation ActivityRegularization
  ActivityRegularizer Adadelta Adafactor Adagrad Adam AdamW Adamax AdaptiveAveragePooling1D AdaptiveAveragePooling2D
  AdaptiveAveragePooling3D AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D Add AdditiveAttention
  AlphaDropout ArrayLike AssertionDense Attention AugMix AutoContrast Average AveragePooling1D AveragePooling2D
  AveragePooling3D B BF16 BIGQUERY_FORMAT BOOL BackendOptimizer BasicMaskedLayer BatchNormalization Bidirectional
  BinaryAccuracy BinaryCrossentropy BinaryFocalCrossentropy BinaryIoU BoundingBox C CD CENTER CENTER_XYWH CF CRITICAL
  CSV CTC CUDA CallContext CallSpec CanaryLayer CategoricalAccuracy CategoricalCrossentropy
  CategoricalFocalCrossentropy CategoricalHinge CategoryEncoding CenterCrop Circle Concatenate ConcordanceCorrelation
  ConfusionMatrix Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose ConvLSTM ConvLSTM1D ConvLSTM2D
  ConvLSTM3D ConvLSTMCell CosineDecay CosineDecayRestarts CosineSimilarity Cropping1D Cropping2D Cropping3D Cross
  CutMix D DASK_DEVICE DATABRICKS_FORMAT DEBUG DELETE DELTA DELTASHARING DataLayer Dense DepthwiseConv1D
  DepthwiseConv2D Dice DictLayerWithUnbuiltState Discretization Dot Dropout DropoutRNNCell E E4M3 E5M2 ELU ERROR
  EXTERNAL EXTERNAL_SHALLOW_CLONE EinsumDense Embedding Equalization ExponentialDecay F F16 F1Score F32 F64 FA3 FA4
  FBetaScore FLASH FOREIGN FULL_SHARD FW False FalseNegatives FalsePositives Feature FeatureSpace Features Flatten
  Ftrl G GET GRU GRUCell GaussianDropout GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D
  GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GroupNormalization
  GroupedQueryAttention H HAC HC0 HC1 HC2 HC3 HEAD HIVE_CUSTOM HIVE_SERDE HYBRID HYBRID_SHARD HashedCrossing Hashing
  Hinge Huber I I16 I32 I64 I8 INFO Identity IndexLookup InputLayer InputSpec IntegerLookup InverseTimeDecay IoU JSON
  K KLDivergence KwargsLayerWithUnbuiltState L L2-star LA LAB LEFT LSTM LSTMCell LU Lamb Lambda Layer
  LayerNormalization LayerWithDenseLayers LayerWithMetric LayerWithUnbuiltState LeakyReLU LearningRateSchedule
  LegacyOptimizerWarning Lion ListLayerWithUnbuiltState LogCosh LogCoshError Loss LossFunctionWrapper LossLayer
  LossScaleOptimizer M M8 MANAGED MANAGED_SHALLOW_CLONE MARKDOWN MATERIALIZED_VIEW MD MSAMP MaskUnsetDuringCallLayer
  MaskedDense Masking MatchingArguments MaxNumBoundingBoxes MaxPooling1D MaxPooling2D MaxPooling3D Maximum Mean
  MeanAbsoluteError MeanAbsolutePercentageError MeanIoU MeanMetricWrapper MeanSquaredError MeanSquaredLogarithmicError
  MelSpectrogram Merge Metric Middle Minimum Mish MixUp MixedPrecisionLayer MockRemat MockedRandomFlip
  MultiHeadAttention MultiOptimizer Multiply Muon N NCCL NCHW NETSUITE_FORMAT NFC NFD NFKC NFKD NHWC NO NOTHING NOTSET
  NO_SHARD NVSHMEM NaT Nadam NestedInputMaskedLayer NoShapeSuffix NoTrainingSpecified NonMatchingArgument
  NonTrainableWeightsLayer None Normalization NullInitializer O O1 O2 OPTIONS ORC OneHotIoU OneHotMeanIoU
  OneStateRNNCell Optimizer OptimizerMap OtherLayer Outer P PARQUET PATCH POST PReLU PUT ParentLayer
  ParentLayerWithMetric PassthroughMaskLayer PearsonCorrelation Permute PiecewiseConstantDecay Pipeline Poisson
  PolynomialDecay PositionalInputsMaskedLayer PostBuildModifyLayer Precision PrecisionAtRecall Q QR R2Score
  REDSHIFT_FORMAT REL_XYWH REL_XYXY REL_YXYX RIGHT RMSNormalization RMSprop RNGLayer RNGListLayer RNN
  RNNCellWithDropout RandAugment RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast RandomCrop
  RandomElasticTransform RandomErasing RandomFlip RandomGaussianBlur RandomGrayscale RandomHeight RandomHue
  RandomInvert RandomPerspective RandomPosterization RandomRGBToHSVLayer RandomRotation RandomSaturation
  RandomSharpness RandomShear RandomTranslation RandomWidth RandomZoom ReLU Recall RecallAtPrecision Reduction
  RepeatVector Rescaling Reshape Resizing ReversibleEmbedding RootMeanSquaredError S SA SALESFORCE_FORMAT SF SGD
  SHARD_GRAD_OP SNOWFLAKE_FORMAT SQLDW_FORMAT STFTSpectrogram STREAMING_TABLE ScatterUpdateOptimizer ScheduleFreeAdamW
  SensitivityAtSpecificity SensitivitySpecificityBase SeparableConv1D SeparableConv2D SimpleLayer SimpleRNN
  SimpleRNNCell SingleArgument Softmax Solarization SomeLayer Source SparseCategoricalAccuracy SpatialDropout1D
  SpatialDropout2D SpatialDropout3D SpecificityAtSensitivity SpectralNormalization SquaredHinge StackedRNNCells
  StringLookup Sub SubsetArguments Subtract Sum T TE TEXT TFDConcat TFDIdentity TRITON TRITON_DECODE
  TestFitLRSchedulesFlow TestLayer TestSpectrogram TextVectorization ThresholdedReLU TimeDistributed
  TopKCategoricalAccuracy TorchOptimizer TorchParallelOptimizer TrainingLayer TrainingLayerExplicit True TrueNegatives
  TruePositives Tversky TwoStatesRNNCell U U3 U8 UNITY_CATALOG UTF8_BORDERS_ONLY UTF8_FULL UTF8_FULL_CONDENSED
  UTF8_HORIZONTAL_ONLY UTF8_NO_BORDERS UnitNormalization UpSampling1D UpSampling2D UpSampling3D V VECTOR_INDEX_FORMAT
  VIEW W WARNING WD WORKDAY_RAAS_FORMAT WrappedTrainingLayer Wrapper X XYWH XYXY XYZ Y YXYX Yes ZeroPadding1D
  ZeroPadding2D ZeroPadding3D a abs absolute_error accurate active adam adaptive adbc add additional adjusted agg aic
  akima align align_full align_inner align_left align_right all all_exhausted alloc allow allow-float allow-nan alpha
  alreadyReloading always amax amg amin amplitude angle animation anti any any-to-any append apply approx approximate
  arabic arbitrary-variance area argmax argmin args arithmetic arpack array ascending ascii asof audio-classification
  auto automatic-speech-recognition average averaged_inverted_cdf avg axes axes3d axes_enter_event axes_leave_event b
  b1 backend backend_fallback backfill backslashreplace backward balanced balanced_low_0 balanced_subsample ball_tree
  band bar barh barnes_hut barstacked barycentric base64 baseten batch batch_and_epoch batch_size best beta bevel bf
  bf16 bf16-mixed bf16-true bfill bfloat16 bh bic bicubic big biggest_inertia bilinear binary bistochastic block body
  bool bool_ boolean border both bottom box box-cox boxcar boxplot brew brotli brute bs4 bsr bucket buckets burg butt
  button_press_event button_release_event byte bytes bytes_ bz2 c c++ c16 c8 calamine call canceled canonical
  categorical cd cdouble ceil center centered centroid cerebras char char_wb choice cholesky circular clamped class
  classical_mds clip clongdouble close_event closed closest_observation cluster cluster-crv3 cluster-jk cluster_qr cm
  coerce cohere col column columns combine common compact compat complete complex complex64 compressed compute_comms
  compute_only concat connectivity connectorx constant constrained content continue continuous contour control conv1d
  conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convert-timezone coo copy core cos cosine count
  covariance_eigh cpu crammer_singer create created cross cs csc csingle csr csv ct ctt cube cubic cubicspline cuda
  cumprod cumsum cursor custom cutlass_grouped_mm cycle cyclic cython d dB dashdot dashed data datapoint dataset
  datasets date datetime64 dbscan decision_function deep deepinfra deepspeed default deflate deflation delete
  delete_rows delta-deletion-vector dense density deprecated depth-estimation descending dia diag diagonal
  diagonal_relaxed dict dir directory dirichlet_distribution dirichlet_process discretize discussion distance
  distributed do_not_pad do_not_truncate docstring document document-question-answering dok domain dot dotted double
  downcast download draft draw_event drop dtype dynamic dynamo e eager earliest early economic edge eigen eigh
  elasticnet elkan empirical empty end end_day english entropy eom eos_token epoch epsilon_insensitive eq equal
  equiprobable equiv error errorbar etree euclidean eval even event ex exact exactly examples exception exhaust exp
  exp_range expand expensive explode exponential exported_program expr f f2 f4 f8 face fail fake fal-ai false fan_in
  fan_out fast fastapi fb featherless-ai feature-extraction ffill fft figure figure_enter_event figure_leave_event fil
  file fileNotFound filename fill fill-mask filll fireworks-ai first first_exhausted first_non_null fit fitted fixed
  flat flexible_layout float float16 float32 float64 floor fmin_l_bfgs_b font footer forbid force_left force_right
  fork forkserver formal formulaic fortran forward fp4 fp4-dq fp8 frame freq friday friedman_mse fro frobenius
  from_derivatives from_dtype ft full fullMatch func function g gamma gaussian gb geometric gesdd gesvd get
  get_or_create getitem gigabytes gini git-sha1 global gouraud gptq gpu greater greedy grid groq group_to_rows gt
  gt_eq gzip h hac-groupsum hac-panel half half_away_from_zero half_to_even hamming hann hard hatch hazen header
  heapsort help hessian hex hexbin hf-inference hf_installer high higher highs highs-ds highs-ipm hilbert hinge hist
  homomorphic horizontal horizontal_extend hpu hqic html html5lib http https huber huggingface_hub i i1 i2 i4 i8
  iceberg iceberg-column-mapping id identity idxmax idxmin if_binary ignore ij iloc image image-classification
  image-feature-extraction image-segmentation image-text-to-text image_url immutable in in-memory index indexing
  individual inf infer info infrequent_if_exist inner input insert inside instance int int16 int32 int64 int8
  int8-training int_ intc integer integral interactive interior-point interpolated_inverted_cdf interval intp
  intrinsic inverted_cdf invscaling ip ir isotonic itakura-saito italic item iterations jaccard jit join joint jpeg
  json json_object json_schema k k-means++ k_best kb kd_tree kde keep kendall kernel key_press_event key_release_event
  keymap keypoint-matching kilobytes kll kmeans knn krogh kullback-leibler kwargs l l1 l2 lapack lar largest_cluster
  lars lasso lasso_cd lasso_lars last late latest latex latin-1 layout lbfgs ld ld_adjusted ld_biased lda ldadjusted
  ldb ldbiased leaf leaky_relu left left_anti left_right legacy legend len length less lexical lfs liac-arff liblinear
  lil line linear lines link list little live lloyd lo lobpcg loc local localhost log log2 log_loss logcosh logistic
  long longdouble longest longest_first longlong loop lossy low lower lowpass lsqr lt lt_eq ltsa lxml lz4 m m8 macosx
  macro magnitude main major makima manhattan many_to_many many_to_one mape markers mask mask-generation math mathtext
  max max_length max_size max_size_cycle max_width mb md5 mean median median_unbiased medoid megabytes merge merged
  mergesort meta method mfa micro microsecond-downcast microsecond-upcast mid midpoint millisecond-upcast min min_size
  mindist minimal minimize minor mirror missing-only miter mixed ml_server mle mm_loop mod model modified module
  monday most_frequent most_recent motion_notify_event move mps ms mse mst mtia mu mul multi
  multi_label_classification multiclass mutable n naive namereplace nan nanosecond-downcast native natural nearest
  nearest_neighbors necessary needs_exact_strides needs_fixed_stride_order neg_fil neg_fill neg_filll neither neq
  never new newton-cg newton-cholesky nf4 nf4-dq nipals nndsvd nndsvda nndsvdar no no-editor no-tty no_interactions
  no_validation no_wrap node non_numeric none nonkeyword_arguments nonrobust norm normal normal_unbiased normalize not
  not-a-knot noul novita np ns nscale nuc null numba numeric numpy numpy_nullable nvmath_cublaslt_grouped_mm o object
  object-detection object_ oblique odd odf off ok ols ols-adjusted ols-inefficient omit omp on once one one-to-one
  one_to_many one_to_one one_vs_one one_vs_rest onehot onehot-dense onesided onesided2X online only_first only_second
  onnx open openai openpyxl optimal or ordinal original ortho orthogonal out outer outside overlay overwrite ovhcloud
  ovo ovr p pa1 pa2 pad pair pairwise pandas panoptic paragraph parallel parquet partial pass passthrough patch path
  patsy pattern pca pchip pcolor pcolormesh pdf peak pearson percentile periodic pgf phase physical pick_event pickle
  pie piecewise_polynomial pinv pip plain png poisson polaraxes polars poly polynomial popen positional post powell
  power pre precomputed pred predict predict_log_proba predict_proba prefer_left prefer_right prefiltered prefit
  present preview previous prior prod projecting propagate proportion ps psd pt publicai pull_request px pyarrow
  pyiceberg python python-fwf pyxlsb q qr quadratic quantile quartimax quicksort r r+ raise random random-cd
  random_from_data randomized rank raw raw_values rb rbf reader real records recursion reduced reference reflect reg
  regex register_catalog regression regular rel relaxed relu remove renamed_parameter replace replicaHash replicate
  repo repos req_both req_hi req_lo required reset resize_event rev rgb rgba right right_anti right_left roman round
  round_trip row row_groups rows run rw s sRGB safe sag saga sagemaker same same_kind sample samples saturday savefig
  scale scaleway scan_iceberg scatter sci scientific score scott script scroll_event sd self selu semantic semi sep
  sequential series set sgd shallow sharded shards shift_backward shift_forward short sigmoid signed silverman simple
  since single single-node single_label_classification sink_iceberg size size_based_wrap skip slice slinear slsqp
  smallest smtp snappy soft softmax solid sort source_unreachable space sparse sparse_cg spawn spearman spectrum
  spherical spline split sqlalchemy sqrt square squared_epsilon_insensitive squared_error squared_hinge ss sse sso
  stable standard start start_day state static std stdio step stepfilled steps steps-mid steps-post steps-pre
  stop_sequence str str_ stratified streaming strict string strings sum sunday surface surrogateescape svd svg sym
  symbolic symlink symmetric t table table-question-answering tanh tar tb temperature tensor tensorflow tensorrt
  terabytes test text text-classification text-generation text-to-audio tf thread_local threading threshold thursday
  tied tight time timedelta64 timezone tk to_zero together token-classification token-policy toolbar top torch
  torchscript torchserve tpu trace train transformer-engine transformer-engine-float16 transformer_based_wrap
  transformers tree triangular triangular2 trilinear trimmed true truncated_normal ts tuesday tuple tw two-sided
  twosided typing u u1 u2 u4 u8 ubyte ui uint uint16 uint32 uint64 uint8 uintc uintp ujson ulong ulonglong
  uncompressed unicode uniform uniform_average unit-variance unitary unknown unmanaged unsafe unsigned untitled
  up_to_date upcast update upload upper us use_encoded_value use_json ushort utf-8 utf8 utf8-lossy v valid validate
  validation value values var variance_weighted varimax vertical vertical_relaxed video video-classification void
  volume w w+b ward warn warning wavespeed webagg wednesday weibull weight weighted width wilson window word wrap
  writer x x86 xaxis xfail xi xlrd xlsx2csv xmlcharrefreplace xpu xtick xy xz y yaxis yellow yeo-johnson yes ytick yw
  yw_adjusted yw_mle ywa ywadjusted ywm ywmle z zai-org zero zero-shot-classification zero-shot-object-detection zeros
  zip zstd
`);

/** Made when it is first asked for: a command that sends nothing anywhere never does. */
function listed(text: string): () => ReadonlySet<string> {
  let list: ReadonlySet<string> | null = null;
  return () => {
    list ??= new Set(text.trim().split(/\s+/));
    return list;
  };
}

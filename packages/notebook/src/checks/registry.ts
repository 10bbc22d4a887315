// The table of all checks, in the order in which they are asked about one event. Adding one is adding its file and a
// line here.
import attributeOfNone from './attributes/attribute-of-none.js';
import missingAttribute from './attributes/missing-attribute.js';
import missingExecutable from './calls/missing-executable.js';
import refusedByLibrary from './calls/refused-by-library.js';
import wrongArguments from './calls/wrong-arguments.js';
import columnCountMismatch from './columns/column-count-mismatch.js';
import columnLengthMismatch from './columns/column-length-mismatch.js';
import dropMissingColumn from './columns/drop-missing-column.js';
import locMissingColumn from './columns/loc-missing-column.js';
import mergeKeyMissing from './columns/merge-key-missing.js';
import methodOfMissingColumn from './columns/method-of-missing-column.js';
import missingColumn from './columns/missing-column.js';
import columnNotNumeric from './conversions/column-not-numeric.js';
import missingValueToInteger from './conversions/missing-value-to-integer.js';
import numberOfNonNumber from './conversions/number-of-non-number.js';
import textNotANumber from './conversions/text-not-a-number.js';
import type { Check } from './define-check.js';
import boosterClasses from './estimators/booster-classes.js';
import emptySplit from './estimators/empty-split.js';
import featureCountMismatch from './estimators/feature-count-mismatch.js';
import featureNamesMismatch from './estimators/feature-names-mismatch.js';
import invalidParameter from './estimators/invalid-parameter.js';
import missingTransformerColumn from './estimators/missing-transformer-column.js';
import missingValues from './estimators/missing-values.js';
import mixedMetricTargets from './estimators/mixed-metric-targets.js';
import moreThanSamples from './estimators/more-than-samples.js';
import multiclassAverage from './estimators/multiclass-average.js';
import multiclassRocAuc from './estimators/multiclass-roc-auc.js';
import negativeValues from './estimators/negative-values.js';
import notFitted from './estimators/not-fitted.js';
import oneDimensionalFeatures from './estimators/one-dimensional-features.js';
import sampleCountMismatch from './estimators/sample-count-mismatch.js';
import solverPenalty from './estimators/solver-penalty.js';
import stringFeatures from './estimators/string-features.js';
import tooManySplits from './estimators/too-many-splits.js';
import unknownSearchParameter from './estimators/unknown-search-parameter.js';
import unseenLabels from './estimators/unseen-labels.js';
import unsplittableClasses from './estimators/unsplittable-classes.js';
import inputShape from './keras/input-shape.js';
import layerInput from './keras/layer-input.js';
import notCompiled from './keras/not-compiled.js';
import objectArray from './keras/object-array.js';
import keraSampleCountMismatch from './keras/sample-count-mismatch.js';
import targetShape from './keras/target-shape.js';
import unknownArgument from './keras/unknown-argument.js';
import unknownKerasName from './keras/unknown-name.js';
import missingKey from './labels/missing-key.js';
import missingRowLabel from './labels/missing-row-label.js';
import positionOutOfBounds from './labels/position-out-of-bounds.js';
import { namesChecks } from './names/index.js';
import imageShape from './plots/image-shape.js';
import lengthMismatch from './plots/length-mismatch.js';
import missingPlotColumn from './plots/missing-plot-column.js';
import subplotPosition from './plots/subplot-position.js';
import unknownKind from './plots/unknown-kind.js';
import unknownStyle from './plots/unknown-style.js';
import axisOutOfRange from './shapes/axis-out-of-range.js';
import choiceOfManyDimensions from './shapes/choice-of-many-dimensions.js';
import matrixProductMismatch from './shapes/matrix-product-mismatch.js';
import notBroadcastable from './shapes/not-broadcastable.js';
import notConcatenable from './shapes/not-concatenable.js';
import raggedArray from './shapes/ragged-array.js';
import reshapeSize from './shapes/reshape-size.js';
import storedShapeMismatch from './shapes/stored-shape-mismatch.js';
import formulaColumn from './statistics/formula-column.js';
import rowMismatch from './statistics/row-mismatch.js';
import seriesTooShort from './statistics/series-too-short.js';
import targetRange from './statistics/target-range.js';
import formatSpec from './text/format-spec.js';
import joinOfNonTexts from './text/join-of-non-texts.js';
import percentFormat from './text/percent-format.js';
import datasetSizes from './torch/dataset-sizes.js';
import deviceMix from './torch/device-mix.js';
import dtypeMix from './torch/dtype-mix.js';
import embeddingIndex from './torch/embedding-index.js';
import indivisibleHeads from './torch/indivisible-heads.js';
import layerInputShape from './torch/layer-input-shape.js';
import layerInputType from './torch/layer-input-type.js';
import lossTarget from './torch/loss-target.js';
import noCuda from './torch/no-cuda.js';
import refusedCall from './torch/refused-call.js';
import scalarOfMany from './torch/scalar-of-many.js';
import tensorToNumpy from './torch/tensor-to-numpy.js';
import transformNotCallable from './torch/transform-not-callable.js';
import unequalBatchItems from './torch/unequal-batch-items.js';
import uninitialisedModule from './torch/uninitialised-module.js';
import ambiguousTruth from './types/ambiguous-truth.js';
import lengthOfSizeless from './types/length-of-sizeless.js';
import noItemAssignment from './types/no-item-assignment.js';
import notAnInteger from './types/not-an-integer.js';
import notCallable from './types/not-callable.js';
import notIterable from './types/not-iterable.js';
import notSubscriptable from './types/not-subscriptable.js';
import unhashableKey from './types/unhashable-key.js';
import unpackCount from './types/unpack-count.js';
import unsupportedOperands from './types/unsupported-operands.js';
import wrongIndexType from './types/wrong-index-type.js';
import certainRaise from './values/certain-raise.js';
import divisionByZero from './values/division-by-zero.js';
import emptySequence from './values/empty-sequence.js';
import falseAssertion from './values/false-assertion.js';
import fileMode from './values/file-mode.js';
import folderExists from './values/folder-exists.js';
import oversizedAllocation from './values/oversized-allocation.js';

export const checks: readonly Check[] = [
  ...namesChecks,
  attributeOfNone,
  missingAttribute,
  columnCountMismatch,
  columnLengthMismatch,
  dropMissingColumn,
  locMissingColumn,
  mergeKeyMissing,
  methodOfMissingColumn,
  missingColumn,
  missingKey,
  missingRowLabel,
  positionOutOfBounds,
  ambiguousTruth,
  lengthOfSizeless,
  notCallable,
  notIterable,
  notSubscriptable,
  unhashableKey,
  unpackCount,
  unsupportedOperands,
  wrongIndexType,
  wrongArguments,
  columnNotNumeric,
  missingValueToInteger,
  numberOfNonNumber,
  textNotANumber,
  divisionByZero,
  emptySequence,
  falseAssertion,
  oversizedAllocation,
  axisOutOfRange,
  choiceOfManyDimensions,
  matrixProductMismatch,
  notBroadcastable,
  notConcatenable,
  raggedArray,
  reshapeSize,
  boosterClasses,
  emptySplit,
  featureCountMismatch,
  featureNamesMismatch,
  invalidParameter,
  missingTransformerColumn,
  missingValues,
  mixedMetricTargets,
  moreThanSamples,
  multiclassAverage,
  multiclassRocAuc,
  negativeValues,
  notFitted,
  oneDimensionalFeatures,
  sampleCountMismatch,
  solverPenalty,
  stringFeatures,
  tooManySplits,
  unknownSearchParameter,
  unseenLabels,
  unsplittableClasses,
  datasetSizes,
  deviceMix,
  dtypeMix,
  embeddingIndex,
  indivisibleHeads,
  layerInputShape,
  layerInputType,
  lossTarget,
  noCuda,
  refusedCall,
  scalarOfMany,
  tensorToNumpy,
  transformNotCallable,
  unequalBatchItems,
  formatSpec,
  joinOfNonTexts,
  percentFormat,
  imageShape,
  lengthMismatch,
  missingPlotColumn,
  subplotPosition,
  unknownKind,
  unknownStyle,
  formulaColumn,
  rowMismatch,
  seriesTooShort,
  targetRange,
  inputShape,
  notCompiled,
  keraSampleCountMismatch,
  targetShape,
  layerInput,
  objectArray,
  unknownArgument,
  unknownKerasName,
  noItemAssignment,
  refusedByLibrary,
  fileMode,
  notAnInteger,
  missingExecutable,
  uninitialisedModule,
  storedShapeMismatch,
  certainRaise,
  folderExists,
];

export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}

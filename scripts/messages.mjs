// Makes the catalogue of messages: npm run messages -- SITE_PACKAGES... Reads the sources and binaries of the libraries in these
// folders and writes packages/training/src/messages/catalogue.json: what is raised, where, and what it complains of.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { exists, filesOf, printedOf, raisesOf, sentencesOf } from './lib/harvest-messages.mjs';
import { root } from './lib/setup.mjs';

/** The parts of each library that speak while a model is built, fed, trained and saved. */
const sources = {
  torch:
    /^torch\/(_tensor|_utils|serialization|functional|autograd\/|amp\/|cuda\/|nn\/|optim\/|utils\/(data|checkpoint|_)|multiprocessing\/|distributed\/(?!_tensor|tensor|pipelining|_shard|_tools|examples)|_lowrank|storage|random|hub|backends\/)/,
  transformers: /^transformers\/(?!models\/|pipelines\/|commands\/|convert_|testing|cli\/|kernels\/)/,
  keras:
    /^keras\/src\/(?!applications|quantizers|export|wrappers|legacy|backend\/(?:openvino|numpy|mlx)|datasets|tree)/,
  tensorflow: /^tensorflow\/python\/(framework|data\/ops|eager|training|saved_model|checkpoint)/,
  lightning: /^lightning\/(pytorch|fabric)\//,
  numpy: /^numpy\/(_core|lib|linalg)\//,
  datasets: /./,
  accelerate: /./,
  sklearn:
    /^sklearn\/(base|utils|model_selection|linear_model|ensemble|svm|preprocessing|neural_network|metrics)/,
  xgboost: /./,
  lightgbm: /./,
  catboost: /./,
  jax: /^jax\/_src\/(core|api|dtypes|numpy\/|lax\/lax|random|nn\/|dispatch|xla_bridge|pjit|tree_util|array|distributed)/,
  flax: /^flax\/(core|linen|nnx|training|errors)/,
  optax: /./,
  deepspeed: /^deepspeed\/(runtime|comm|utils|launcher|ops\/(adam|op_builder)|checkpoint|moe)/,
  peft: /^peft\/(?!tuners\/\w+\/(?!model|config))/,
  trl: /^trl\/(?!experimental)/,
  bitsandbytes: /./,
  timm: /^timm\/(models\/_|data|optim|scheduler|utils|loss)/,
  ultralytics: /^ultralytics\/(data|engine|nn\/tasks|utils|cfg)/,
  pandas: /^pandas\/(io\/|core\/(frame|series|indexing|generic|dtypes|reshape|indexes))/,
  safetensors: /./,
  huggingface_hub: /^huggingface_hub\/(utils|file_download|errors|_snapshot)/,
  ray: /^ray\/(exceptions|train|tune|rllib|data|air|util\/sgd)/,
  mxnet: /^mxnet\/(?!contrib\/onnx|numpy_extension|_numpy_op)/,
  paddle:
    /^paddle\/(?!inference|jit\/(?:sot|dy2static)|static\/quantization|quantization|base\/(?:tests|dygraph))/,
};
/** Libraries of which all parts speak. */
const whole = `
  torchvision torchaudio torchtext torch_geometric dgl torchmetrics ignite catalyst fastai skorch tensordict torchrl pytorch_lightning
  mmengine mmcv mmdet mmseg mmpretrain mmcls mmpose mmaction detectron2 yolov5 segmentation_models_pytorch open_clip nnunetv2
  batchgenerators monai kornia albumentations imgaug lightly pycocotools
  fairseq onmt sentence_transformers spacy thinc flair allennlp stanza simpletransformers evaluate diffusers tokenizers
  espnet espnet2 nemo speechbrain TTS whisper funasr pyannote lhotse asteroid librosa soundfile
  stable_baselines3 gymnasium gym tianshou
  pytorch_forecasting gluonts neuralforecast pytorch_tabnet recbole
  tensorflow_datasets tensorflow_addons official keras_cv keras_nlp keras_hub tf_keras haiku equinox orbax chainer horovod
  composer streaming colossalai megatron torchtune litgpt axolotl llamafactory verl swift unsloth unsloth_zoo flwr
  webdataset hydra omegaconf wandb tensorboardX lmdb PIL h5py pyarrow nibabel pydicom decord
`;
for (const library of whole.trim().split(/\s+/)) sources[library] = /./;

/** Not those that carry compilers, cryptography and a file system along: most of their sentences are none that training prints. */
const binaries = {
  torch: /^lib(torch_cpu|torch_python|c10)\.so$/,
  xgboost: /^libxgboost\.so$/,
  lightgbm: /^lib_lightgbm\.so$/,
  catboost: /^_catboost\.so$/,
};
/** Signs of a message that are kept: enough to know it again. */
const longest = 56;
/** Fewer words are those of many messages. */
const fewest = 4;
/** So many messages that differ in their first word only are one. */
const alike = 4;

/** Constants of binaries that are no messages: signatures, markup, patterns, checks of the library's own. */
const noise =
  /INTERNAL ASSERT|=None|<br>|\bregex\b|[?*] \w+ ?=|int64_t|\*,|TLS|certificate|asn1|\bssl\b|\bcurve\b|protobuf|HLO\b|\bMLIR\b|LLVM|onnx|tf(?:l|lite)\b|dialect|\boperands?\b|\bop(?:code)?\b|memref|signless|bitwidth|failed to (?:satisfy|verify)|mach-o|\bvector type|coro\.|tcgen|subgroup/i;

const sites = process.argv.slice(2);
if (sites.length === 0) throw new Error('name the site-packages folders of the libraries');
const { saidOf } = await load('packages/training/src/messages/said.ts');
const { fillTable } = await load('packages/training/src/messages/lookup.ts');
const { wordPattern, wordsOf } = await load('packages/training/src/messages/words.ts');

const entries = [];
const seen = new Set();
/** The first words of what libraries also say when nothing is wrong: by those no error is known. */
const printed = new Set();
for (const site of sites) {
  for (const [library, parts] of Object.entries(sources)) {
    const folder = join(site, library);
    if (!exists(folder)) continue;
    for (const file of filesOf(folder, /\.py$/)) {
      const place = relative(site, file);
      if (!parts.test(place)) continue;
      const source = readFileSync(file, 'utf8');
      for (const raised of raisesOf(source)) add({ ...raised, place });
      for (const words of printedOf(source).map(wordsOf))
        for (let length = fewest; length <= words.length && length <= 12; length++)
          printed.add(words.slice(0, length).join(' '));
    }
  }
  for (const [library, names] of Object.entries(binaries)) {
    const folder = join(site, library);
    if (!exists(folder)) continue;
    for (const file of filesOf(folder, /\.so$/))
      if (names.test(file.split('/').at(-1)))
        for (const text of sentencesOf(file))
          add({ text, exception: '', function: '', place: relative(site, file) });
  }
}

function add({ text, exception, place, function: name }) {
  const short = text.length > longest ? text.slice(0, text.lastIndexOf(' ', longest)) : text;
  const words = wordsOf(short);
  if (words.length < fewest || noise.test(text) || seen.has(words.join(' '))) return;
  const complaint = saidOf({ text, exception, place: `${place} ${name}` });
  if (complaint === null || (exception === '' && complaint.certainty < 0.8)) return;
  seen.add(words.join(' '));
  entries.push({ words, place, exception, text: short, subcause: complaint.subcause });
}

/** Two neighbouring words that few messages share lead from a line to a message: the first of them is marked with *. */
const pairs = new Map();
const kept = withoutAlike(entries.filter(({ words }) => !printed.has(words.slice(0, 12).join(' '))));
for (const { words } of kept) for (const pair of pairsOf(words)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
/** `foo_ is not supported …` of a hundred operations is one message, whatever stands at its head. */
function withoutAlike(all) {
  const groups = new Map();
  for (const entry of all) {
    const rest = entry.words.slice(1).join(' ');
    groups.set(rest, [...(groups.get(rest) ?? []), entry]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (group.length < alike || first.words.length <= fewest + 1) return group;
    const words = first.words.slice(1);
    return [{ ...first, words, text: `{} ${words.join(' ')}` }];
  });
}

function pairsOf(words) {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** The text with * before the words that lead to it. */
function marked(text, anchors) {
  const words = [...text.toLowerCase().replaceAll('{}', '  ').matchAll(wordPattern)];
  const starts = anchors.map((pair) =>
    words.findIndex(([word], index) => `${word} ${words[index + 1]?.[0]}` === pair),
  );
  return [...new Set(starts)]
    .filter((index) => index >= 0)
    .sort((a, b) => b - a)
    .reduce((out, index) => `${out.slice(0, words[index].index)}*${out.slice(words[index].index)}`, text);
}

const catalogue = {};
let written = 0;
for (const entry of kept.sort((a, b) => a.place.localeCompare(b.place))) {
  const ranked = [...new Set(pairsOf(entry.words))].sort((a, b) => pairs.get(a) - pairs.get(b));
  if (pairs.get(ranked[0]) > 8) continue;
  catalogue[entry.subcause] ??= {};
  catalogue[entry.subcause][entry.place] ??= [];
  catalogue[entry.subcause][entry.place].push(marked(entry.text, ranked.slice(0, 2)));
  written++;
}
const file = join(root, 'packages', 'training', 'src', 'messages', 'catalogue.json');
const lines = Object.entries(catalogue).flatMap(([subcause, places]) =>
  Object.entries(places).map(([place, texts]) => [subcause, place, ...texts].join('\t')),
);
// Signs beyond Latin-1 are no part of any word, and one of them would double the room that the whole string takes.
const text = catalogueText(lines.join('\n').replace(/[^\0-\xff]/g, ' '));
writeFileSync(file, text);
process.stdout.write(`${written} messages, ${Math.round(text.length / 1024)} kB\n`);
for (const [subcause, places] of Object.entries(catalogue))
  process.stdout.write(`  ${subcause} ${Object.values(places).flat().length}\n`);

/** A line for each sub-cause and place with their messages, all in one string that loads at once; and the table that finds them. */
function catalogueText(messages) {
  return `{\n"messages": ${JSON.stringify(messages)},\n"slots": "${fillTable(messages)}"\n}\n`;
}

async function load(entry) {
  const outfile = join(root, 'node_modules', '.cache', 'grus', entry.replace(/\W+/g, '-').concat('.mjs'));
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

// What the agent calls absent really fails in Python, and what it calls present is really there: asked first, tried after.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Kernel } from '../../src/index.js';
import { ask, fixture, kernelWith, run } from './support.js';

let kernel: Kernel;
let paths: string[];
beforeAll(async () => {
  kernel = await kernelWith();
  const told = await run(kernel, fixture('attributes.py'));
  paths = JSON.parse(told.trim().split('\n').at(-1) ?? '[]');
});
afterAll(() => kernel.close());

const tryAttributes = (asked: readonly string[]) => `
import json, warnings
warnings.simplefilter("ignore")
def attempt(path):
    root, _, name = path.rpartition(".")
    try:
        getattr(eval(root), name)
        return "present"
    except AttributeError:
        return "absent"
    except Exception as error:
        return type(error).__name__
print(json.dumps({path: attempt(path) for path in json.loads(${JSON.stringify(JSON.stringify(asked))})}))
`;

it('attributes: no absent name exists, no plain present one is missing', async () => {
  const snapshot = await ask(kernel, { paths });
  const truth = JSON.parse((await run(kernel, tryAttributes(paths))).trim().split('\n').at(-1)!);
  const claims = paths.map((path) => ({ path, claim: snapshot.paths[path]!, truth: truth[path] as string }));
  const wronglyAbsent = claims.filter(({ claim, truth }) => claim.status === 'absent' && truth !== 'absent');
  const wronglyPresent = claims.filter(
    ({ claim, truth }) => claim.object !== undefined && truth !== 'present',
  );
  expect(wronglyAbsent.map(({ path }) => path)).toEqual([]);
  expect(wronglyPresent.map(({ path }) => path)).toEqual([]);
  const decided = claims.filter(({ claim, truth }) => truth === 'absent' && claim.status === 'absent');
  const missing = claims.filter(({ truth }) => truth === 'absent');
  expect(decided.length / missing.length).toBeGreaterThan(0.85);
});

const modules = [
  ['json', 'loads'],
  ['xml.dom.minidom', 'parse'],
  ['xml.dom.nope', 'x'],
  ['collections', 'Mapping'],
  ['collections.abc', 'Mapping'],
  ['numpy', 'float'],
  ['numpy.random', 'rand'],
  ['numpy.rando', 'rand'],
  ['sklearn.cross_validation', 'train_test_split'],
  ['sklearn.externals', 'joblib'],
  ['sklearn.metrics', 'plot_roc_curve'],
  ['sklearn.ensemble', 'RandomForestClassifier'],
  ['scipy.misc', 'imread'],
  ['scipy.interpolate', 'interp2d'],
  ['pandas.io.json', 'json_normalize'],
  ['pandas.util.testing', 'assert_frame_equal'],
  ['keras.utils', 'np_utils'],
  ['keras.layers', 'Dense'],
  ['keras.layers.merge', 'concatenate'],
  ['keras.preprocessing.image', 'ImageDataGenerator'],
  ['torch.utils.data', 'DataLoader'],
  ['torch.utils.dataa', 'DataLoader'],
  ['matplotlib.mlab', 'normpdf'],
  ['mpl_toolkits.mplot3d', 'Axes3D'],
  ['mpl_toolkits.basemap', 'Basemap'],
  ['PIL.Image', 'ANTIALIAS'],
  ['google.protobuf', 'message'],
  ['google.colab', 'drive'],
  ['distutils', 'version'],
  ['six.moves', 'range'],
  ['tensorflow.contrib', 'rnn'],
  ['tensorflow.keras.layers', 'Dense'],
  ['cv2', 'imread'],
  ['IPython.display', 'display'],
  ['os.path', 'join'],
  ['os.pathh', 'join'],
] as const;

it('imports: no absent module or name can be imported, no present one fails', async () => {
  const imports = modules.map(([module, name]) => ({ module, names: [name] }));
  const snapshot = await ask(kernel, { imports });
  const code = `
import json, importlib
def attempt(module, name):
    try:
        importlib.import_module(module)
    except ImportError:
        return ["absent", "absent"]
    try:
        exec("from " + module + " import " + name, {})
        return ["present", "present"]
    except ImportError:
        return ["present", "absent"]
print(json.dumps([attempt(*pair) for pair in json.loads(${JSON.stringify(JSON.stringify(modules))})]))
`;
  const truth = JSON.parse((await run(kernel, code)).trim().split('\n').at(-1)!) as [string, string][];
  const wrong = modules.filter(([module, name], position) => {
    const told = snapshot.modules[module]!;
    const [moduleTruth, nameTruth] = truth[position]!;
    const contradicts = (status: string, real: string) => status !== 'unknown' && status !== real;
    return contradicts(told.status, moduleTruth) || contradicts(told.names[name]!.status, nameTruth);
  });
  expect(wrong).toEqual([]);
  const absent = modules.filter((_, position) => truth[position]![0] === 'absent');
  const found = absent.filter(([module]) => snapshot.modules[module]!.status === 'absent');
  expect(found.length).toBeGreaterThanOrEqual(absent.length - 2);
});

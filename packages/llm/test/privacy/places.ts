// Where secrets lie in a notebook: in code, in magics, in values and labels of live objects, in messages and outputs. Each
// place is one cell, and an expression with which the cell that is asked about touches what the cell made.

export interface Planted {
  readonly cell: string;
  /** An expression of the target cell; empty when the secret stands in the code alone. */
  readonly touch: string;
  /** What of the secret stands there, where it is not the whole. */
  readonly core?: string;
}

/** A literal of Python. */
const quoted = (text: string) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, '?');

/** The text without its letters in the code: only the live object knows it. */
const hidden = (text: string) => `bytes([${[...Buffer.from(text)].map((byte) => byte ^ 90).join(', ')}])`;
const unhidden = (text: string) => `bytes(b ^ 90 for b in ${hidden(text)}).decode()`;

/** A literal of Python that holds a literal. */
const quotedTwice = (literal: string) => JSON.stringify(literal);

const oneLine = (text: string) => text.replace(/\n/g, ' ');

type Place = (name: string, secret: string) => Planted;
const code = (write: (name: string, literal: string, secret: string) => string): Place => {
  return (name, secret) => ({ cell: write(name, quoted(secret), secret), touch: '' });
};
const object = (write: (name: string, value: string) => string, touch = (name: string) => name): Place => {
  return (name, secret) => ({ cell: write(name, unhidden(secret)), touch: touch(name) });
};

/** The digits of a secret as a number of Python, or a made-up one where it has too few. */
const numeral = (secret: string) => {
  const digits = secret.replace(/\D/g, '').replace(/^0+/, '').slice(0, 15);
  return digits.length >= 7 ? digits : `${digits}90417263`.replace(/^0+/, '');
};
const number = (write: (name: string, numeral: string) => string, touch = (name: string) => name): Place => {
  return (name, secret) => {
    const core = numeral(secret);
    return { cell: write(name, core), touch: touch(name), core };
  };
};
const disguised = (digits: string) => `int(bytes(b ^ 90 for b in ${hidden(digits)}))`;

export const places: Readonly<Record<string, Place>> = {
  assignment: code((name, text) => `${name} = ${text}`),
  'annotated name': code((name, text) => `${name}: str = ${text}`),
  environment: code((name, text) => `import os\nos.environ["DB_PASSWORD_${name}"] = ${text}`),
  'subscript of a dict': code((name, text) => `${name} = {}\n${name}["password"] = ${text}`),
  'dict literal': code((name, text) => `${name} = {"user": "svc", "password": ${text}, "retries": 3}`),
  'keyword argument': code((name, text) => `${name} = dict(api_key=${text}, timeout=30)`),
  'positional argument': code((name, text) => `${name} = str.upper(${text})`),
  'default of a parameter': code((name, text) => `def ${name}(url, key=${text}):\n    return url`),
  'triple-quoted': code((name, _text, secret) => `${name} = """\n${secret.replace(/\\/g, '/')}\n"""`),
  'raw string': code((name, _text, secret) => `${name} = r'''${secret.replace(/\\/g, '/')}'''`),
  bytes: code((name, text) => `${name} = b${text}`),
  'f-string': code((name, text) => `${name} = f"{1}${text.slice(1, -1).replace(/[{}]/g, '')}{2}"`),
  'nested f-string': code((name, literal) => {
    const text = literal.replace(/\\./g, ' ');
    return `${name} = f'''{len(${text})} {'x' + ${text}}'''`;
  }),
  concatenation: code((name, text) => `${name} = "a" ${text} "b" + ${text}`),
  comment: code((name, _text, secret) => `${name} = 1  # ${oneLine(secret)}`),
  'comment line': code((name, _text, secret) => `# ${oneLine(secret)}\n${name} = 1`),
  docstring: code((name, text) => `def ${name}():\n    ${text}\n    return 1`),
  'text statement': code((name, text) => `${text}\n${name} = 1`),
  'list of texts': code((name, text) => `${name} = ["train", ${text}]`),
  comparison: code((name, text) => `${name} = "x" == ${text}`),
  walrus: code((name, text) => `print(len(${name} := ${text}))`),
  lambda: code((name, text) => `${name} = lambda: ${text}`),
  'string annotation': code((name, text) => `def ${name}(x: ${text}) -> None: ...`),
  'percent format': code((name, text) => `${name} = "%s" % ${text}`),
  'str.format': code((name, text) => `${name} = ${text}.replace("{", "").replace("}", "").format()`),
  'print of a text': code((_name, text) => `print(${text})`),
  'match pattern': code((name, text) => `${name} = 1\nmatch "a":\n    case ${text}:\n        pass`),
  'raise in a function': code((name, text) => `def ${name}():\n    raise ValueError(${text})`),
  '%env': code((name, _text, secret) => `%env GRUS_X_${name}=${oneLine(secret)}`),
  'line magic': code((name, _text, secret) => `%alias ${name} echo ${oneLine(secret)}`),
  'shell line': code((_name, _text, secret) => `!true ${quoted(oneLine(secret)).replace(/[$`!]/g, '_')}`),
  'shell assignment': code(
    (name, _text, secret) => `${name} = !true ${quoted(oneLine(secret)).replace(/[$`!]/g, '_')}`,
  ),
  '%%bash': code((_name, _text, secret) => `%%bash\n: ${quoted(secret).replace(/[$`!]/g, '_')}`),
  '%%bash comment': code((_name, _text, secret) => `%%bash\n# ${oneLine(secret)}\ntrue`),
  '%%html': code((_name, _text, secret) => `%%html\n<b>${secret}</b>`),
  '%%writefile': code((name, _text, secret) => `%%writefile /tmp/grus-privacy-${name}.txt\n${secret}`),
  '%%time': code((name, text) => `%%time\n${name} = ${text}`),
  '%time': code((name, text) => `%time ${name} = ${oneLine(text)}`),
  'value of a name': object(
    (name, value) => `${name} = ${value}`,
    (name) => `len(${name})`,
  ),
  'element of a list': object((name, value) => `${name} = [${value}, "b"]`),
  'value in a dict': object((name, value) => `${name} = {"user": ${value}}`),
  'key of a dict': object((name, value) => `${name} = {${value}: 1, "b": 2}`),
  'attribute value': object(
    (name, value) => `class C_${name}: pass\n${name} = C_${name}()\n${name}.setting = ${value}`,
    (name) => `${name}.setting`,
  ),
  'attribute name': object(
    (name, value) => `class C_${name}: pass\n${name} = C_${name}()\nsetattr(${name}, ${value}, 1)`,
  ),
  'class name': object((name, value) => `${name} = type(${value}, (), {})()`),
  'value of a column': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({"a": [${value}] * 3})`,
  ),
  'column named password': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({"password": [${value}, "x"]})`,
  ),
  'column label': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({${value}: [1, 2], "b": [1, 2]})`,
  ),
  'category of a column': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({"a": pd.Categorical([${value}, "b"])})`,
  ),
  'label of a row': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({"a": [1]}, index=[${value}])`,
  ),
  'name of a series': object(
    (name, value) => `import pandas as pd\n${name} = pd.Series([1, 2], name=${value})`,
  ),
  'name of an index': object(
    (name, value) =>
      `import pandas as pd\n${name} = pd.DataFrame({"a": [1]}, index=pd.Index([1], name=${value}))`,
  ),
  'element of an array': object((name, value) => `import numpy as np\n${name} = np.array([${value}, "b"])`),
  'field of a dtype': object(
    (name, value) => `import numpy as np\n${name} = np.zeros(2, dtype=[(${value}, "i4")])`,
  ),
  'default of a function': object(
    (name, value) => `def ${name}(key=${value}):\n    return 1`,
    (name) => `${name}()`,
  ),
  'step of a pipeline': object(
    (name, value) =>
      `from sklearn.pipeline import Pipeline\nfrom sklearn.preprocessing import StandardScaler\n${name} = Pipeline([(${value}.replace("__", "_"), StandardScaler())])`,
  ),
  'feature names': object(
    (name, value) =>
      `import pandas as pd\nfrom sklearn.preprocessing import StandardScaler\n${name} = StandardScaler().fit(pd.DataFrame({${value}: [1.0, 2.0]}))`,
  ),
  'number in the code': number(
    (name, digits) => `${name} = ${digits}`,
    () => '',
  ),
  'number as an argument': number(
    (name, digits) => `${name} = abs(${digits}) + 1`,
    () => '',
  ),
  'value of a number': number((name, digits) => `${name} = ${disguised(digits)}`),
  'column of numbers': number(
    (name, digits) => `import pandas as pd\n${name} = pd.DataFrame({"a": [${disguised(digits)}] * 3})`,
  ),
  'array of numbers': number(
    (name, digits) => `import numpy as np\n${name} = np.array([${disguised(digits)}, 1, 2])`,
  ),
  'printed output': object((name, value) => `${name} = 1\nprint(${value})`),
  'kept exception': object(
    (name, value) => `try:\n    raise KeyError(${value})\nexcept KeyError as e:\n    ${name} = e`,
  ),
  'attribute of a class body': code((name, text) => `class K_${name}:\n    token = ${text}\n${name} = 1`),
  'default of a dataclass': code(
    (name, text) => `from dataclasses import dataclass\n@dataclass\nclass ${name}:\n    key: str = ${text}`,
  ),
  'member of an enum': code((name, text) => `import enum\nclass ${name}(enum.Enum):\n    LIVE = ${text}`),
  'argument of a decorator': code(
    (name, text) =>
      `def deco_${name}(t):\n    return lambda f: f\n@deco_${name}(${text})\ndef ${name}():\n    return 1`,
  ),
  unpacking: code((name, text) => `${name}, other_${name} = ${text}, 1`),
  'augmented assignment': code((name, text) => `${name} = ""\n${name} += ${text}`),
  'starred argument': code((name, text) => `${name} = "".join(*[[${text}]])`),
  'set literal': code((name, text) => `${name} = {${text}, "b"}`),
  'conditional expression': code((name, text) => `${name} = ${text} if len("a") else None`),
  'message of an assert': code((name, text) => `assert True, ${text}\n${name} = 1`),
  'argument of getattr': code((name, text) => `${name} = getattr(object, ${text}, None)`),
  'argument of a program': code(
    (name, text) => `import subprocess\n${name} = subprocess.list2cmdline(["tool", "--key", ${text}])`,
  ),
  'part of a path': code((name, text) => `import os\n${name} = os.path.join("data", ${text})`),
  'text that is evaluated': code((name, text) => `${name} = eval(${quotedTwice(text)})`),
  'continued line': code((name, text) => `${name} = "a" \\\n    ${text}`),
  'key to take out': code((name, text) => `${name} = {"a": 1}\n${name}.pop(${text}, None)`),
  'separator to split by': code((name, text) => `${name} = "a b".split(${text})`),
  'question to a frame': code(
    (name, text) =>
      `import pandas as pd\n${name} = pd.DataFrame({"a": ["x"]})\n${name} = ${name}[${name}["a"] == ${text}]`,
  ),
  'value that fills a frame': code(
    (name, text) => `import pandas as pd\n${name} = pd.DataFrame({"a": [None, "x"]}).fillna(${text}).shape`,
  ),
  'sentence of a database': code(
    (name, text) => `${name} = "select * from users where pw = '" + ${text} + "'"`,
  ),
  'literal type': code((name, text) => `from typing import Literal\n${name}: Literal[${text}] | None = None`),
  'global of a function': code(
    (name, text) => `def ${name}():\n    global g_${name}\n    g_${name} = ${text}\n    return 1`,
  ),
  'loop over texts': code((name, text) => `for ${name} in (${text}, "b"):\n    pass`),
  'index of a frame': code((name, text) => `import pandas as pd\n${name} = pd.Series({"a": 1}).get(${text})`),
  '%%sh': code((_name, _text, secret) => `%%sh\n: ${quoted(secret).replace(/[$`!]/g, '_')}`),
  '%%markdown': code((_name, _text, secret) => `%%markdown\nread: ${secret}`),
  '%%latex': code((_name, _text, secret) => `%%latex\nread: ${secret}`),
  '%%capture': code((name, text) => `%%capture cap_${name}\nprint(${text})`),
  '%set_env': code((name, _text, secret) => `%set_env GRUS_Y_${name} ${oneLine(secret).replace(/=/g, '-')}`),
  '%timeit': code((_name, text) => `%timeit -n1 -r1 len(${oneLine(text)})`),
  'value of a namespace': object(
    (name, value) => `import types\n${name} = types.SimpleNamespace(host=${value})`,
  ),
  'value of an options object': object(
    (name, value) => `import argparse\n${name} = argparse.Namespace(token=${value}, epochs=3)`,
  ),
  'member of an enum, live': object(
    (name, value) => `import enum\n${name} = enum.Enum("E_${name}", {"LIVE": ${value}}).LIVE`,
  ),
  'argument of a partial': object(
    (name, value) => `import functools\n${name} = functools.partial(print, ${value}, sep=${value})`,
  ),
  'closure of a function': object(
    (name, value) => `def make_${name}(key):\n    return lambda: key\n${name} = make_${name}(${value})`,
    (name) => `${name}()`,
  ),
  'doc of a function': object(
    (name, value) => `def ${name}(): return 1\n${name}.__doc__ = ${value}`,
    (name) => `${name}()`,
  ),
  'name of a function': object(
    (name, value) => `def ${name}(): return 1\n${name}.__name__ = ${name}.__qualname__ = ${value}`,
    (name) => `${name}()`,
  ),
  'name of a module': object(
    (name, value) => `import types\n${name} = types.ModuleType(${value}.replace(chr(0), ""))`,
  ),
  'value in a module': object(
    (name, value) => `import types\n${name} = types.ModuleType("settings")\n${name}.TOKEN = ${value}`,
    (name) => `${name}.TOKEN`,
  ),
  'attribute of a class': object(
    (name, value) => `class ${name}:\n    pass\n${name}.endpoint = ${value}`,
    (name) => `${name}.endpoint`,
  ),
  'path object': object(
    (name, value) => `import pathlib\n${name} = pathlib.Path("/data") / ${value}.replace(chr(0), "")`,
  ),
  pattern: object((name, value) => `import re\n${name} = re.compile(re.escape(${value}))`),
  'bytes object': object((name, value) => `${name} = ${value}.encode()`),
  'byte array': object((name, value) => `${name} = bytearray(${value}.encode())`),
  deque: object((name, value) => `import collections\n${name} = collections.deque([${value}, "b"])`),
  counter: object((name, value) => `import collections\n${name} = collections.Counter([${value}, "b"])`),
  'default dict': object(
    (name, value) => `import collections\n${name} = collections.defaultdict(list, {${value}: [1]})`,
  ),
  'nested containers': object(
    (name, value) => `${name} = [{"rows": [({"v": ${value}},)]}]`,
    (name) => `${name}[0]["rows"][0]`,
  ),
  'levels of a row index': object(
    (name, value) =>
      `import pandas as pd\n${name} = pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([(${value}, 1)]))`,
  ),
  'levels of a column index': object(
    (name, value) =>
      `import pandas as pd\n${name} = pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("x", ${value})]))`,
  ),
  'attributes of a frame': object(
    (name, value) =>
      `import pandas as pd\n${name} = pd.DataFrame({"a": [1]})\n${name}.attrs["source"] = ${value}`,
  ),
  'column of dicts': object(
    (name, value) => `import pandas as pd\n${name} = pd.DataFrame({"a": [{"v": ${value}}]})`,
  ),
  'groups of a frame': object(
    (name, value) =>
      `import pandas as pd\n${name} = pd.DataFrame({"a": [${value}] * 9, "b": range(9)}).groupby("a")`,
  ),
  'column of a polars frame': object(
    (name, value) => `import polars as pl\n${name} = pl.DataFrame({${value}: [1, 2]})`,
  ),
  'value of a polars frame': object(
    (name, value) => `import polars as pl\n${name} = pl.DataFrame({"a": [${value}] * 3})`,
  ),
  'text of an array': object((name, value) => `import numpy as np\n${name} = np.str_(${value})`),
  'key of a state dict': object((name, value) => `import torch\n${name} = {${value}: torch.ones(2)}`),
  'name of a layer': object(
    (name, value) =>
      `import torch\n${name} = torch.nn.ModuleDict({${value}.replace(".", "_") or "x": torch.nn.Linear(2, 2)})`,
  ),
  'words of a vectorizer': object(
    (name, value) =>
      `from sklearn.feature_extraction.text import CountVectorizer\n${name} = CountVectorizer(token_pattern=".+").fit([${value}])`,
  ),
  'classes of an encoder': object(
    (name, value) =>
      `from sklearn.preprocessing import LabelEncoder\n${name} = LabelEncoder().fit([${value}, "b"])`,
  ),
  'categories of an encoder': object(
    (name, value) =>
      `from sklearn.preprocessing import OneHotEncoder\n${name} = OneHotEncoder().fit([[${value}], ["b"]])`,
  ),
  'setting of an estimator': object(
    (name, value) =>
      `from sklearn.impute import SimpleImputer\n${name} = SimpleImputer(strategy="constant", fill_value=${value})`,
  ),
  'part of a transformer': object(
    (name, value) =>
      `from sklearn.compose import ColumnTransformer\n${name} = ColumnTransformer([(${value}.replace("__", "_"), "passthrough", [0])])`,
  ),
  'title of a figure': object(
    (name, value) =>
      `import matplotlib\nmatplotlib.use("Agg")\nimport matplotlib.pyplot as plt\n${name}, axes_${name} = plt.subplots()\naxes_${name}.set_title(${value}.replace("$", "_"))\naxes_${name}.plot([1], label=${value}.replace("$", "_"))`,
  ),
  'node of a graph': object(
    (name, value) => `import networkx as nx\n${name} = nx.Graph()\n${name}.add_edge(${value}, "b")`,
  ),
  'name of a thread': object((name, value) => `import threading\n${name} = threading.Thread(name=${value})`),
  'name of a logger': object((name, value) => `import logging\n${name} = logging.getLogger(${value})`),
  'headers of a session': object(
    (name, value) => `import requests\n${name} = requests.Session()\n${name}.headers["X-Key"] = ${value}`,
  ),
  'unique number': object((name, value) => `import uuid\n${name} = uuid.uuid5(uuid.NAMESPACE_DNS, ${value})`),
  'note of an exception': object(
    (name, value) =>
      `try:\n    raise ValueError("x")\nexcept ValueError as e:\n    e.note = ${value}\n    ${name} = e`,
  ),
  'argument of an exception of its own': object(
    (name, value) => `class X_${name}(Exception): pass\n${name} = X_${name}(${value}, 3)`,
  ),
  'warning that was shown': object((name, value) => `import warnings\nwarnings.warn(${value})\n${name} = 1`),
  'tensor with a name': object(
    (name, value) => `import torch\n${name} = torch.ones(2)\n${name}.label = ${value}`,
  ),
  'queue of things': object((name, value) => `import queue\n${name} = queue.Queue()\n${name}.put(${value})`),
  'text stream': object((name, value) => `import io\n${name} = io.StringIO(${value})`),
  'result shown at the end': object(
    (name, value) => `${name} = ${value}\n${name}`,
    (name) => `len(${name})`,
  ),
};

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
  'nested f-string': code((name, text) => `${name} = f'''{len(${text})} {'x' + ${text}}'''`),
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
  'str.format': code((name, text) => `${name} = ${text}.replace("{", "").format()`),
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
};

// The packages that people import most, by the name of their module: what may be suggested to install. A name that is not
// here may be misspelt, so nothing is suggested for it.

const sameName = new Set(
  (
    'accelerate altair bokeh catboost dask datasets einops folium gensim graphviz h5py hvplot ipywidgets jax joblib keras ' +
    'librosa lightgbm lightning matplotlib mlflow networkx nltk numba numpy openpyxl optuna pandas peft plotly polars psutil ' +
    'pyarrow pyspark requests scipy scrapy seaborn shap spacy sqlalchemy statsmodels streamlit sympy tables tabulate tensorboard ' +
    'tensorflow timm tokenizers torch torchaudio torchmetrics torchvision tqdm transformers trl wandb wordcloud xarray xgboost'
  ).split(' '),
);

const named: Readonly<Record<string, string>> = {
  sklearn: 'scikit-learn',
  cv2: 'opencv-python',
  PIL: 'pillow',
  skimage: 'scikit-image',
  yaml: 'pyyaml',
  bs4: 'beautifulsoup4',
  dotenv: 'python-dotenv',
  dateutil: 'python-dateutil',
  imblearn: 'imbalanced-learn',
  umap: 'umap-learn',
  Bio: 'biopython',
  serial: 'pyserial',
  docx: 'python-docx',
  fitz: 'pymupdf',
  mpl_toolkits: 'matplotlib',
  sentence_transformers: 'sentence-transformers',
  pytorch_lightning: 'pytorch-lightning',
  skopt: 'scikit-optimize',
  plotly_express: 'plotly',
  MySQLdb: 'mysqlclient',
};

/** The package to install for a module, or undefined when it is not known. */
export function distributionOf(module: string): string | undefined {
  return Object.hasOwn(named, module) ? named[module] : sameName.has(module) ? module : undefined;
}

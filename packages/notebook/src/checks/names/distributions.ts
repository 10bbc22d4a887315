// Modules whose package has another name on the package index.

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

export function distributionOf(module: string): string {
  return named[module] ?? module;
}

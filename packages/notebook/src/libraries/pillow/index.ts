// Pillow's images: opening one and deriving others from it reads files and writes none, so that what is known of the files
// of a loop over images still holds at the last of them.
import type { Fact } from '../../reasoning/facts.js';
import type { CallTransfer, LibraryModel, Transfers } from '../../reasoning/library.js';

const image: Fact = { kind: 'instance', class: 'PIL.Image.Image' };

const makesImage: CallTransfer = (_, context) => context.put(image);

const derivesImage: CallTransfer = (site, context) =>
  /^PIL\.(Image|\w+ImagePlugin)\.\w+$/.test(site.receiver?.fact.class ?? '') ? context.put(image) : undefined;

const deriving = 'convert resize crop rotate transpose copy filter quantize reduce'.split(' ');

const transfers: Transfers = {
  functions: {
    'PIL.Image.open': makesImage,
    'PIL.Image.new': makesImage,
    'PIL.Image.fromarray': makesImage,
  },
  methods: { instance: Object.fromEntries(deriving.map((method) => [method, derivesImage])) },
};

export const library: LibraryModel = {
  name: 'pillow',
  transfers: [transfers],
  manners: { keepingArguments: ['PIL'], writingNoFiles: ['PIL'], lettingThrough: ['PIL'] },
};

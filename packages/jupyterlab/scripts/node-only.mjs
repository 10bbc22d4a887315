// Keeps what needs Node out of the browser: modules of Node and native packages become empty, and what only they use is
// dropped as unused. Anything of them that is left in the bundle is a mistake that the build reports.
const needsNode = /^(?:node:|zeromq$)/;

/** For esbuild. */
export const nodeOnly = {
  name: 'node-only',
  setup(build) {
    build.onResolve({ filter: needsNode }, ({ path }) => ({
      path,
      namespace: 'node-only',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'node-only' }, () => ({ contents: 'module.exports = {};' }));
    // Our packages only define things: a module of which nothing is used may be left out.
    build.onResolve({ filter: /^(?:@grus\/|\.)/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === 'resolving') return undefined;
      const found = await build.resolve(path, { ...rest, pluginData: 'resolving' });
      return found.errors.length > 0 || found.path.includes('node_modules')
        ? found
        : { ...found, sideEffects: false };
    });
  },
};

/** For the program on the server, which reaches kernels through the server and never over ZeroMQ. */
export const withoutNative = {
  name: 'without-native',
  setup(build) {
    build.onResolve({ filter: /^(?:zeromq|node-llama-cpp)$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The modules of Node that a bundle still carries. */
export function nodeParts(metafile) {
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((name) => name.startsWith('node-only:')),
  );
}

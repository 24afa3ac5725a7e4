import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { chunkGroups } from './chunk-groups.ts'
import { libraryCorrectionsPlugin } from './library-corrections.ts'
import { manifestPlugin } from './manifest-plugin.ts'
import { offlinePlugin } from './offline-plugin.ts'
import { trimLibrariesPlugin } from './trim-libraries-plugin.ts'

const root = import.meta.dirname
const top = join(root, '../..')

export default defineConfig({
  root,
  plugins: [
    libraryCorrectionsPlugin(),
    react(),
    manifestPlugin(top),
    trimLibrariesPlugin(),
    offlinePlugin(top),
  ],
  resolve: {
    alias: [
      { find: /^#(kit|modules|apps)\//, replacement: `${top}/$1/` },
      // The library falls back on English texts where none are given; here the Chinese ones are always given.
      { find: /\/en_US$/, replacement: '/zh_CN' },
      // By default its icons announce their English names.
      { find: /^\.\.\/components\/AntdIconLight$/, replacement: `${top}/kit/web/antd-icon.tsx` },
      // Its drawers bring a placeholder that the product never shows.
      { find: /^\.\.\/skeleton$/, replacement: `${top}/kit/web/antd-skeleton.tsx` },
      // Escape closes the dialog on top, also after one was drawn twice.
      { find: /^\.\/useEscKeyDown$/, replacement: `${top}/kit/web/antd-escape-keys.ts` },
      // Only an empty drop-down would show its picture of an empty box.
      { find: /^\.\.\/empty$/, replacement: `${top}/kit/web/antd-empty.tsx` },
      // What the router's links do in pages that a server renders.
      { find: /^\.\/ssr\/components\.js$/, replacement: `${top}/kit/web/router-links.ts` },
      // Parts that the library puts into every page and no screen uses.
      {
        find: /^(\.\/(confirm|useModal)|\.{1,2}\/(tooltip\/)?UniqueProvider)$/,
        replacement: `${top}/kit/web/antd-stubs.tsx`,
      },
    ],
  },
  // The page and the interface share one origin, so that the live connection and cookies need nothing more.
  server: { port: 5173, proxy: { '/api': { target: process.env.API ?? 'http://127.0.0.1:8100', ws: true } } },
  build: {
    outDir: join(top, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    // Browsers of this language level know it, or fetch the same files a little later.
    modulePreload: {
      polyfill: false,
      // The shell names a small file for every kind of record that is referred to. What these need is mostly
      // there by then, and to list it for each of them weighs 4 kB; styles are loaded by these lists alone.
      resolveDependencies: (_file, needed, { hostId }) =>
        hostId.startsWith('assets/shell-') ? needed.filter(file => file.endsWith('.css')) : needed,
    },
    rolldownOptions: {
      // Else a part that shares its file with others is reached through a file that only names it.
      preserveEntrySignatures: 'allow-extension',
      // The second would move parts into heavier files than need them.
      experimental: { chunkOptimization: { mergeCommonChunks: true, avoidRedundantChunkLoads: false } },
      // The library's parts do not declare that they are free of side effects, but they are: what no screen
      // uses (its forms with their validator) stays out.
      treeshake: {
        // To read a permission of a menu does nothing: the lists of screens of the modules stay out.
        propertyReadSideEffects: false,
        moduleSideEffects: [
          { test: /node_modules[\\/](@rc-component|@ant-design)[\\/]/, sideEffects: false },
        ],
      },
      output: {
        // Seven of 64 signs tell more files apart than there will be; every page lists what it may fetch.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: chunkGroups,
        },
      },
    },
  },
})

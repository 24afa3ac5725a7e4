import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { aliases } from './aliases.ts'
import { chunkGroups } from './chunk-groups.ts'
import { libraryCorrectionsPlugin } from './library-corrections.ts'
import { manifestPlugin, readResidentPaths, residentPagePlugin } from './manifest-plugin.ts'
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
    residentPagePlugin(top),
    trimLibrariesPlugin(),
    offlinePlugin(top, () => readResidentPaths(top)),
  ],
  resolve: { alias: aliases },
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

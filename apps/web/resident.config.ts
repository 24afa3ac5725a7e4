import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { aliases } from './aliases.ts'
import { pathsLike } from './chunk-groups.ts'
import { libraryCorrectionsPlugin } from './library-corrections.ts'
import { manifestPlugin } from './manifest-plugin.ts'
import { trimLibrariesPlugin } from './trim-libraries-plugin.ts'

const root = import.meta.dirname
const top = join(root, '../..')

/** Telephones of 2019 and 2020: what WeChat and the browsers there still run. */
const olderBrowsers = ['chrome70', 'safari14', 'ios14']

/**
 * The page of residents, beside that of the back office in the same folder: built apart, so that neither the
 * parts that the back office keeps together nor its language level weigh on old telephones.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [libraryCorrectionsPlugin(), react(), manifestPlugin(top), trimLibrariesPlugin()],
  resolve: { alias: aliases },
  build: {
    outDir: join(top, 'dist/web'),
    emptyOutDir: false,
    target: olderBrowsers,
    cssTarget: olderBrowsers,
    manifest: '.vite/resident-manifest.json',
    reportCompressedSize: false,
    modulePreload: { polyfill: true },
    rolldownOptions: {
      input: join(root, 'resident.html'),
      treeshake: {
        propertyReadSideEffects: false,
        moduleSideEffects: [
          { test: /node_modules[\\/](@rc-component|@ant-design)[\\/]/, sideEffects: false },
        ],
      },
      output: {
        entryFileNames: 'assets/resident-[name]-[hash:7].js',
        chunkFileNames: 'assets/resident-[name]-[hash:7].js',
        assetFileNames: 'assets/resident-[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // Runs before the others: they call at once what it adds.
            { name: 'older-browsers', test: /older-browsers\.ts$/, priority: 2 },
            // What every page needs, as one file.
            {
              name: 'start',
              test: pathsLike('kit/web/(query|routes|phone/phone-toasts)\\.tsx?'),
              priority: 1,
            },
          ],
        },
      },
    },
  },
})

import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const root = import.meta.dirname, top = join(root, '../..')
export default defineConfig({
  root,
  plugins: [react()],
  resolve: { alias: [{ find: /^#(kit|modules|apps)\//, replacement: `${top}/$1/` }] },
  // The page and the interface share one origin, so that the live connection and cookies need nothing more.
  server: { port: 5173, proxy: { '/api': { target: process.env.API ?? 'http://127.0.0.1:8100', ws: true } } },
  build: {
    outDir: join(top, 'dist/web'), emptyOutDir: true, target: 'es2022', manifest: true, chunkSizeWarningLimit: 600, reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The names of shared chunks would list all who share them.
        chunkFileNames: c => `assets/${c.name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What never changes between versions of ours stays in the browser's cache.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 30 },
            { name: 'start', tags: ['$initial'], priority: 20 },
            // What several screens share of the libraries, by who shares it; crumbs join their neighbours. Only libraries: with
            // our own modules among them, chunks wait for each other in a circle and a page starts with what is not there yet.
            { name: 'shared', test: /node_modules/, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000, priority: 10 },
          ],
        },
      },
    },
  },
})

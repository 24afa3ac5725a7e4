import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'

// The show-room of the kit, for those who work on it; no build takes it in:
// npx vite --config kit/web/gallery/vite.config.mjs
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  cacheDir: fileURLToPath(new URL('../../../dist/gallery', import.meta.url)),
  clearScreen: false,
  server: { host: '127.0.0.1', port: 23117, strictPort: true, fs: { allow: ['/'] } },
}

import { serve } from '#apps/server/main.ts'
import { command, onEnd } from './console.ts'

/** The server alone, on a database that is ready: what `npm run dev` runs again after every change. */
await command(async () => {
  const { DATABASE_URL = '', PORT = '8100', DATA_DIR = './data', DEMO = '' } = process.env
  const server = await serve({
    databaseUrl: DATABASE_URL,
    port: Number(PORT),
    dataDir: DATA_DIR,
    demo: DEMO === '1',
  })
  onEnd(() => server.close())
})

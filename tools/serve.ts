import { serve } from '#apps/server/main.ts'
import { runCommand, onShutdown } from './command-line.ts'

/** The server alone, on a prepared database: what `npm run dev` runs again after every change. */
await runCommand(async () => {
  const { DATABASE_URL = '', PORT = '8100', DATA_DIR = './data', DEMO = '' } = process.env
  const server = await serve({
    databaseUrl: DATABASE_URL,
    port: Number(PORT),
    dataDir: DATA_DIR,
    demo: DEMO === '1',
  })
  onShutdown(() => server.close())
})

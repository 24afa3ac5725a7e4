import { serve } from '#apps/server/main.ts'
import { settings } from '#kit/server/settings.ts'
import { runCommand, onShutdown } from './command-line.ts'

/** The server alone, on a prepared database: what `npm run dev` runs again after every change. */
await runCommand(async () => {
  const server = await serve({
    databaseUrl: settings.databaseUrl.read(),
    port: settings.port.read(),
    dataDir: settings.dataDir.read(),
  })
  onShutdown(() => server.close())
})

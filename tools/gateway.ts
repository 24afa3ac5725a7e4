import { resolve } from 'node:path'
import { ensureSimulator } from '#modules/invoices/server/simulator/simulator.ts'
import { startGatewayIfAbsent } from '#modules/payments/server/simulator/gateway.ts'
import { runCommand, resolveDataDir, onShutdown, parsePort, parseArguments } from './command-line.ts'

const USAGE = 'npm run gateway -- [--port 8190] [--data ./data]'

await runCommand(async () => {
  const { values } = parseArguments({ port: { type: 'string' }, data: { type: 'string' } }, USAGE)
  const gateway = await startGatewayIfAbsent(
    resolve(resolveDataDir(values.data)),
    console.log,
    values.port === undefined ? 0 : parsePort(values.port),
  )
  const platform = await ensureSimulator(resolve(resolveDataDir(values.data)), console.log)
  if (!gateway && !platform) return
  onShutdown(async () => {
    await gateway?.close()
    await platform?.close()
  })
  // Stays until it is stopped.
  await new Promise<void>(() => {})
})

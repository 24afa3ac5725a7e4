import { resolve } from 'node:path'
import { platformIn } from '#modules/invoices/server/simulator/open.ts'
import { gatewayHere } from '#modules/payments/server/simulator/open.ts'
import { command, dataFolder, onEnd, portOf, words } from './console.ts'

const USAGE = 'npm run gateway -- [--port 8190] [--data ./data]'

await command(async () => {
  const { values } = words({ port: { type: 'string' }, data: { type: 'string' } }, USAGE)
  const gateway = await gatewayHere(
    resolve(dataFolder(values.data)),
    console.log,
    values.port === undefined ? 0 : portOf(values.port),
  )
  const platform = await platformIn(resolve(dataFolder(values.data)), console.log)
  if (!gateway && !platform) return
  onEnd(async () => {
    await gateway?.close()
    await platform?.close()
  })
  // Stays until it is stopped.
  await new Promise<void>(() => {})
})

import { objectOf, textOf } from '#kit/contract/fixtures.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** One product for the whole run, in a process of its own; ends with the run, however that ends. */
export default async function startProduct(): Promise<() => Promise<void>> {
  // A product that already runs may be tried instead:
  // `E2E_ADDRESS=http://127.0.0.1:8100 npx playwright test`.
  if (process.env.E2E_ADDRESS) return async () => {}
  const stage = spawn(process.execPath, [join(import.meta.dirname, '../tools/e2e-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
      // Receivers of events run on this machine.
      WEBHOOK_PRIVATE_TARGETS: '1',
    },
  })
  const ended = once(stage, 'exit')
  // Its first line is the address: lines of the log must not come before it.
  const first: Promise<string[]> = once(createInterface(stage.stdout), 'line')
  const firstLine = await Promise.race([first, ended.then(() => undefined)])
  if (!firstLine?.[0]) throw new Error('the product did not start')
  const { address, databaseUrl } = objectOf(JSON.parse(firstLine[0]))
  process.env.E2E_ADDRESS = textOf(address)
  process.env.E2E_DATABASE_URL = textOf(databaseUrl)
  return async () => {
    stage.stdin.end()
    await ended
  }
}

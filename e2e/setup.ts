import { objectOf, textOf } from '#kit/contract/fixtures.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A port that is free now, for the mail server that a journey opens. */
async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  server.close()
  await once(server, 'close')
  return String(address.port)
}

/** One product for the whole run, in a process of its own; ends with the run, however that ends. */
export default async function startProduct(): Promise<() => Promise<void>> {
  // A product that already runs may be tried instead:
  // `E2E_ADDRESS=http://127.0.0.1:8100 npx playwright test`.
  if (process.env.E2E_ADDRESS) return async () => {}
  const smtpPort = await findFreePort()
  const stage = spawn(process.execPath, [join(import.meta.dirname, '../tools/e2e-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
      // Receivers of events run on this machine.
      WEBHOOK_PRIVATE_TARGETS: '1',
      // The identity provider of the journeys does, too.
      OIDC_PRIVATE_PROVIDERS: '1',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: smtpPort,
      SMTP_TLS: 'none',
      SMTP_FROM: 'notice@example.com',
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
  process.env.E2E_SMTP_PORT = smtpPort
  return async () => {
    stage.stdin.end()
    await ended
  }
}

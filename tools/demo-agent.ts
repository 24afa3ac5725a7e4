import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { findEntry } from '#kit/server/directory.ts'
import { makePairingCode } from '#modules/devices/server/public.ts'
import { demoGatewayNo } from '#db/golden/devices.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { root } from './source-files.ts'

const stopMs = 5000

export interface DemoAgent {
  close(): Promise<void>
}

/** A code for the demo's gateway, as long as it has no agent. */
async function demoPairingCode(app: App): Promise<string | undefined> {
  const company = await findEntry(app.database.reader('*'), 'login', 'demo')
  if (!company) return undefined
  const { ownerId, refId } = company
  return await app.database.tx(ownerId, async tx => {
    const found = await tx.one<{ id: Id }>(sql`
      select id
      from gateway
      where owner_id = ${ownerId} and gate_no = ${demoGatewayNo} and delete_tag = 0 and key_id is null
        and revoke_time is null
    `)
    if (!found) return undefined
    const scope = { ...ownerScope(ownerId, refId, '演示'), time: new Date(app.clock()).toISOString() }
    return (await makePairingCode({ tx, scope, app }, found.id)).code
  })
}

/**
 * Starts the agent of the demo's gateway as a process of its own, paired once per data folder, so that the
 * screens of devices are alive.
 */
export async function startDemoAgent(
  { app, address }: { readonly app: App; readonly address: string },
  dataDir: string,
  log: (message: string) => void,
): Promise<DemoAgent | undefined> {
  const folder = join(dataDir, 'agent')
  const isPaired = existsSync(join(folder, 'identity.json'))
  const code = isPaired ? undefined : await demoPairingCode(app)
  if (!isPaired && code === undefined) return undefined
  const pairing = code === undefined ? [] : ['--code', code]
  const child = spawn(
    process.execPath,
    [join(root, 'apps/agent/main.ts'), '--data', folder, '--server', address, '--end-with-input', ...pairing],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  // It may have ended before its input is closed.
  child.stdin.on('error', () => {})
  child.on('error', error => log(`网关程序（演示）启动失败：${error.message}`))
  log('网关程序（演示，模拟设备）已启动')
  return {
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      // The stop of the product does not wait for an agent that does not heed it.
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      const exited = once(child, 'exit')
      child.stdin.end()
      child.kill('SIGTERM')
      await exited
      clearTimeout(timer)
    },
  }
}

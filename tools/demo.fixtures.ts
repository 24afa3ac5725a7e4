import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  createTestFolder,
  ensureTemplate,
  openTestDatabase,
  templateFolder,
  type TestDatabase,
} from '#kit/server/fixtures/test-database.ts'
import { STATEMENT_LOG } from '#kit/server/statement-log.ts'

export interface DemoDatabase extends TestDatabase {
  /** The demo's files and keys. */
  readonly dataDir: string
}

/** A copy of the demo, which is laid down once in a run. */
export async function openDemoDatabase(): Promise<DemoDatabase> {
  await ensureTemplate('demo', async url => {
    // In a process of its own: the demo's statements never run on somebody's cluster.
    await promisify(execFile)(process.execPath, ['tools/seed-demo.ts', url, templateFolder('demo')], {
      env: { ...process.env, [STATEMENT_LOG]: '' },
    })
  })
  const database = await openTestDatabase({ from: 'demo' })
  const dataDir = mkdtempSync(`${createTestFolder()}/data-`)
  cpSync(templateFolder('demo'), dataDir, { recursive: true })
  return { ...database, dataDir }
}

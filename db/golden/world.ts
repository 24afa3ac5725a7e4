import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { freshDatabase } from '#kit/server/ground/testing.ts'
import { openTestWorld, type As, type TestWorld } from '#kit/server/ground/world.ts'
import { openJobs, taskState } from '#kit/server/jobs.ts'
import type { Upload, World } from '#kit/server/world.ts'
import { installed } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { callerOf } from '#modules/accounts/server/public.ts'
import { golden, password } from './fill.ts'

export interface Task {
  readonly state: number
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly message?: string
  readonly resultFile?: string
  readonly faultFile?: string
  readonly summary?: { reason: string; count: number }[]
}

export interface GoldenWorld extends TestWorld {
  /** Signed in, the first project chosen in the header bar unless said. */
  as(who: string, project?: string): Promise<As>
  readonly owner: Promise<As>
  /** A file as it comes out of the upload. */
  upload(name: string, bytes: Uint8Array | string): Upload
  /** Waits until a task has ended. */
  ended(task: number): Promise<Task>
  readonly dir: string
}

/**
 * The golden companies with every module of the product. With `works` files are kept and tasks are done, as
 * in the product itself.
 */
export async function openGolden({ works = false }: { works?: boolean } = {}): Promise<GoldenWorld> {
  const fresh = await freshDatabase()
  const all = await installed()
  const dir = mkdtempSync(join(tmpdir(), 'golden-'))
  const t = await openTestWorld(fresh.url, all, callerOf, { dataDir: dir })
  const world = t.world as { -readonly [K in keyof World]: World[K] }
  let end = async (): Promise<void> => {}
  if (works) {
    world.files = await openFiles(t.store, world.clock, dir)
    const jobs = await openJobs(t.store, world.clock, callerOf(t.store))
    world.jobs = jobs
    await jobs.begin(
      t.world,
      all.flatMap(m => m.server.jobs ?? []),
      [],
    )
    end = () => jobs.close()
  }
  const known = new Map<string, string>()
  const as = async (who: string, projectCode = 'GOLD0001'): Promise<As> => {
    const token = known.get(who) ?? (await t.ask(login, { loginCode: who, password })).token
    known.set(who, token)
    return { token, ...(projectCode ? { projectCode } : {}) }
  }
  return {
    ...t,
    as,
    dir,
    get owner() {
      return as(golden.first.owner)
    },
    upload: (name, bytes) => {
      const path = join(dir, randomUUID())
      if (typeof bytes === 'string') {
        cpSync(bytes, path)
      } else {
        writeFileSync(path, bytes)
      }
      return {
        name: basename(name),
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        size: statSync(path).size,
        path,
      }
    },
    ended: async task => {
      for (;;) {
        const row = await t.store.reader('*').one<Task>(
          sql`
              select state, success, fail, skipped, message, result_file, fault_file, summary
              from task_center
              where id = ${task}
            `,
        )
        if (row && row.state !== taskState.waiting && row.state !== taskState.running) return row
        await new Promise(r => setTimeout(r, 30))
      }
    },
    close: async () => {
      await end()
      await t.close()
      await fresh.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

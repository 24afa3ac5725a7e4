import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { openTestApp, type CallOptions, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { openJobs, taskState } from '#kit/server/jobs.ts'
import type { Upload, App } from '#kit/server/app.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader, registerLogin } from '#modules/accounts/server/public.ts'
import { golden, password } from './golden-data.ts'
import { seedFeeItem, type FeeItemOptions } from './seed-fee-item.ts'

export interface TaskRow {
  readonly state: number
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly message?: string
  readonly resultFile?: string
  readonly faultFile?: string
  readonly summary?: { reason: string; count: number }[]
}

export interface Clerk {
  readonly loginCode: string
  /** Signed in, the first project chosen. */
  readonly as: CallOptions
}

export interface GoldenApp extends TestApp {
  /** The numbers of the first company and of its owner's account. */
  readonly ownerId: Id
  readonly managerId: Id
  /** A fee item of the first company (`seedFeeItem`). */
  addFeeItem(code: string, options?: FeeItemOptions): Promise<Id>
  /** A manager of the first company who may do this and no more, in every project. */
  addClerk(permissions: readonly string[], options?: { readonly privacy?: boolean }): Promise<Clerk>
  /** Signed in; by default the first project is chosen in the header bar. */
  signedInAs(scope: string, project?: string): Promise<CallOptions>
  readonly owner: Promise<CallOptions>
  /** A file as it comes out of the upload. */
  upload(name: string, bytes: Uint8Array | string): Upload
  /** Waits until a task has ended. */
  waitForTask(task: number): Promise<TaskRow>
  readonly dir: string
}

/** A manager with a role of these permissions; the password is that of everyone. */
async function seedClerk(
  tx: Tx,
  ownerId: Id,
  loginCode: string,
  permissions: readonly string[],
  privacy: boolean,
): Promise<void> {
  const role = await tx.one<{ id: Id }>(sql`
    insert into role (owner_id, role_name, permissions, everything)
    values (${ownerId}, ${loginCode}, ${[...permissions]}, false)
    returning id
  `)
  const manager = await tx.one<{ id: Id }>(sql`
    insert into manager (
      owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
    )
    values (${ownerId}, ${loginCode}, ${loginCode}, 30, ${[String(defined(role).id)]}, true, ${privacy}, 10)
    returning id
  `)
  await registerLogin(tx, loginCode, { ownerId, refId: defined(manager).id })
  await tx.execute(sql`
    insert into manager_secret (owner_id, manager_id, password)
    select owner_id, ${defined(manager).id}::bigint, password
    from manager_secret
    where owner_id = ${ownerId}
    limit 1
    returning manager_id
  `)
}

/** A file as it comes out of the upload; `bytes` is its content, or the path of a file to copy. */
function uploadInto(dir: string, name: string, bytes: Uint8Array | string): Upload {
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
}

/** Waits until a task has ended. */
async function waitForTask(app: TestApp, task: number): Promise<TaskRow> {
  for (;;) {
    const row = await app.database.reader('*').one<TaskRow>(
      sql`
          select state, success, fail, skipped, message, result_file, fault_file, summary
          from task_center
          where id = ${task}
        `,
    )
    if (row && row.state !== taskState.waiting && row.state !== taskState.running) return row
    await new Promise(r => setTimeout(r, 30))
  }
}

/**
 * The golden companies with every module of the product. With `works` files are kept and tasks are done, as
 * in the product itself.
 */
export async function openGoldenApp({ works = false }: { works?: boolean } = {}): Promise<GoldenApp> {
  const testDatabase = await openTestDatabase()
  const all = await loadInstalledModules()
  const dir = mkdtempSync(join(tmpdir(), 'golden-'))
  const t = await openTestApp(testDatabase.url, all, createCallerLoader, { dataDir: dir })
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  let end = async (): Promise<void> => {}
  if (works) {
    app.files = await openFiles(t.database, app.clock, dir)
    const jobs = await openJobs(t.database, app.clock, createCallerLoader(t.database))
    app.jobs = jobs
    await jobs.startWorkers(
      t.app,
      all.flatMap(m => m.server.jobs ?? []),
      [],
    )
    end = () => jobs.close()
  }
  const known = new Map<string, string>()
  const as = async (scope: string, projectCode = 'GOLD0001'): Promise<CallOptions> => {
    const token = known.get(scope) ?? (await t.call(login, { loginCode: scope, password })).token
    known.set(scope, token)
    return { token, ...(projectCode ? { projectCode } : {}) }
  }
  const { ownerId, managerId } = defined(
    await t.database
      .reader('*')
      .one<{ ownerId: Id; managerId: Id }>(
        sql`select owner_id, id as manager_id from manager where login_code = ${golden.first.owner}`,
      ),
  )
  let clerkCounter = 0
  return {
    ...t,
    ownerId,
    managerId,
    addFeeItem: (code, options) => t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, code, options)),
    addClerk: async (permissions, { privacy = false } = {}) => {
      const loginCode = `golden1-clerk${++clerkCounter}`
      await t.database.tx('*', tx => seedClerk(tx, ownerId, loginCode, permissions, privacy))
      return { loginCode, as: await as(loginCode) }
    },
    signedInAs: as,
    dir,
    get owner() {
      return as(golden.first.owner)
    },
    upload: (name, bytes) => uploadInto(dir, name, bytes),
    waitForTask: task => waitForTask(t, task),
    close: async () => {
      await end()
      await t.close()
      await testDatabase.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

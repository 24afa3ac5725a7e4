import { setTimeout as pause } from 'node:timers/promises'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { errorCode } from './database-error.ts'
import { sql, type Tx } from './db.ts'

const pollMs = 100
const polls = 30
const lastWaitMs = 3000

const busyMessage = '系统正在处理本公司的其他业务（如导入、批量生成），请稍后重试'

/** PostgreSQL: a lock was not granted in time. */
const lockNotAvailable = '55P03'

/** Refuses in words where another transaction keeps a lock longer than the work may wait for it. */
export async function refuseWhenLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) refuse(busyMessage)
    throw error
  }
}

/**
 * Takes the company's lock alone: no other transaction of the company writes from here until this one ends;
 * those that begin wait for a while without a connection. It asks for the lock without queueing first, so
 * that a long job keeps nobody waiting behind it. To be called before any row is locked. No lock is waited
 * for longer than a few seconds from here on.
 */
export async function lockCompanyWrites(tx: Tx, ownerId: Id): Promise<void> {
  // Two that hold the shared lock and want it alone would wait for each other.
  const first = await tx.one<{ ok: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended('company alone', ${ownerId})) as ok
  `)
  if (!first?.ok) refuse('另一项需要独占数据的操作正在执行，请稍后重试')
  await tx.rows(sql`select set_config('lock_timeout', ${`${lastWaitMs}`}, true)`)
  const key = sql`hashtextextended('company writes', ${ownerId})`
  for (let i = 0; i < polls; i++) {
    const taken = await tx.one<{ ok: boolean }>(sql`select pg_try_advisory_xact_lock(${key}) as ok`)
    if (taken?.ok) return
    await pause(pollMs)
  }
  await refuseWhenLocked(() => tx.rows(sql`select pg_advisory_xact_lock(${key})::text as locked`))
}

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from './database-error.ts'

/** A company's id, or `*` for the installation's own work: sign-in, jobs, backup. */
export type CompanyScope = number | '*'

/**
 * The only place that sets whose rows a transaction sees (`app.owner_id`, which the policies of all company
 * tables read). `set local`, because a distributed engine hands it on to its nodes and never does so with
 * `set_config()`, under which every table looks empty. The value cannot be a parameter there, so it is
 * checked.
 */
export function companyScopeSql(ownerId: CompanyScope): string {
  if (ownerId !== '*' && !(Number.isSafeInteger(ownerId) && ownerId >= 0)) {
    throw new Error(`not a company: ${JSON.stringify(ownerId)}`)
  }
  return `set local app.owner_id = '${ownerId}'`
}

const keySql = `hashtextextended('company writes', $1)`

/** Work that needs the company alone is under way: the transaction was not begun. */
export class CompanyLocked extends Error {
  constructor() {
    super('本公司正在进行需要独占数据的操作（如删除个人信息），系统繁忙，请稍后重试')
  }
}

const divisionByZero = '22012'

/**
 * Every transaction that may write shares its company's lock until it ends, whatever it writes: work that
 * must see a company at rest takes the lock alone. Sent with the transaction's begin, in the same write. It
 * does not wait in the database, where it would keep a connection from other companies: where the lock is
 * taken, the division by zero ends the transaction before anything that was sent behind it.
 */
export const shareCompanyLock = async (client: pg.ClientBase, ownerId: CompanyScope): Promise<void> => {
  if (ownerId === '*') return
  try {
    await client.query({
      name: 'share-company-lock',
      text: `select 1 / pg_try_advisory_xact_lock_shared(${keySql})::int as "0: the company is locked"`,
      values: [ownerId],
    })
  } catch (error) {
    throw errorCode(error) === divisionByZero ? new CompanyLocked() : error
  }
}

/** How long a writer waits for the work that has its company alone. */
const patienceMs = 4000
/** Of one company, in one process: those beyond are refused at once, others need the turns of calls. */
const maxWaiting = 4
const waitingWriters = new Map<CompanyScope, number>()

/** Runs a transaction, again where the company is locked. It waits without a connection. */
export async function runWhenUnlocked<T>(ownerId: CompanyScope, run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let delayMs = 100; ; delayMs = Math.min(delayMs * 1.5, 600)) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof CompanyLocked) || performance.now() - began > patienceMs) throw error
      await waitOutside(ownerId, delayMs * (0.75 + Math.random() / 2), error)
    }
  }
}

async function waitOutside(ownerId: CompanyScope, delayMs: number, locked: CompanyLocked): Promise<void> {
  const waiting = waitingWriters.get(ownerId) ?? 0
  if (waiting >= maxWaiting) throw locked
  waitingWriters.set(ownerId, waiting + 1)
  await pause(delayMs)
  const left = (waitingWriters.get(ownerId) ?? 1) - 1
  if (left) {
    waitingWriters.set(ownerId, left)
  } else {
    waitingWriters.delete(ownerId)
  }
}

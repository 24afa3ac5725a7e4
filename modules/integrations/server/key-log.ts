import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Caller } from '#kit/server/scope.ts'

export const minuteMs = 60_000
const maxPendingRows = 20_000
const rowsPerStatement = 2_000

/** A row of `api_key_call`, with the names of its columns. */
interface LoggedCall {
  readonly owner_id: Id
  readonly key_id: Id
  readonly create_time: string
  readonly call: string
  readonly title: string
  readonly code: number
  readonly took_ms: number
  readonly ip: string
  readonly request_id: string
}

/** What was refused of a key's calls in one minute: one row of the log, however many they were. */
interface RefusedMinute {
  readonly ownerId: Id
  readonly minute: number
  readonly time: string
  readonly ip: string
  readonly requestId: string
  calls: number
}

/** What keys did that is not yet written: the calls, and those that their rates refused. */
export interface KeyLog {
  logged: LoggedCall[]
  lost: number
  readonly refused: Map<Id, RefusedMinute>
}

export const createKeyLog = (): KeyLog => ({ logged: [], lost: 0, refused: new Map() })

export function pushLogged(log: KeyLog, row: LoggedCall): void {
  if (log.logged.length >= maxPendingRows) {
    log.lost++
  } else {
    log.logged.push(row)
  }
}

/** HTTP 429, as the caller got it. */
const refusedCode = 429

/** Logs what was refused in the minutes before this one. */
export function logRefused(log: KeyLog, minute: number): void {
  for (const [keyId, refused] of log.refused) {
    if (refused.minute >= minute) continue
    log.refused.delete(keyId)
    pushLogged(log, {
      owner_id: refused.ownerId,
      key_id: keyId,
      create_time: refused.time,
      call: '*',
      title: `超过每分钟次数，拒绝 ${refused.calls} 次`,
      code: refusedCode,
      took_ms: 0,
      ip: refused.ip,
      request_id: refused.requestId,
    })
  }
}

export function countRefused(
  log: KeyLog,
  { ownerId, operatorId }: Caller,
  minute: number,
  first: Pick<RefusedMinute, 'time' | 'ip' | 'requestId'>,
): void {
  logRefused(log, minute)
  const known = log.refused.get(operatorId)
  if (known) {
    known.calls++
  } else {
    log.refused.set(operatorId, { ...first, ownerId, minute, calls: 1 })
  }
}

const insertCalls = (tx: Tx, rows: readonly LoggedCall[]): Promise<number> =>
  tx.execute(sql`
    insert into api_key_call (
      owner_id, key_id, create_time, call, title, code, took_ms, ip, request_id
    )
    select *
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      owner_id bigint, key_id bigint, create_time timestamptz, call text, title text, code integer,
      took_ms integer, ip text, request_id text
    )
    returning id
  `)

export async function writeLogged(app: App, log: KeyLog): Promise<void> {
  logRefused(log, Math.floor(app.clock() / minuteMs))
  while (log.logged.length) {
    const rows = log.logged.slice(0, rowsPerStatement)
    await app.database.tx('*', tx => insertCalls(tx, rows))
    log.logged = log.logged.slice(rows.length)
  }
  if (log.lost) {
    app.log.warn({ lost: log.lost }, 'calls by key not logged')
    log.lost = 0
  }
}

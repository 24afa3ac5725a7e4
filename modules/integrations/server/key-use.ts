import type { Id } from '#kit/domain/id.ts'
import type { ApiKeyAccess, KeyedCall } from '#kit/server/api-key.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { TooManyRequests } from '#kit/server/rate-limit.ts'
import type { Caller } from '#kit/server/scope.ts'
import { createKeyCallerLoader } from './key-caller.ts'

const minuteMs = 60_000
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

/** The calls of one key in this process since they were last written. */
interface UnwrittenUse {
  readonly ownerId: Id
  calls: number
  minute: number
  minuteCalls: number
  lastTime: string
  lastIp: string
}

/** What all processes had made of the key's rate when this one last wrote. */
interface SharedMinute {
  readonly ownerId: Id
  readonly minute: number
  readonly calls: number
}

interface KeyUse {
  logged: LoggedCall[]
  lost: number
  unwritten: Map<Id, UnwrittenUse>
  readonly shared: Map<Id, SharedMinute>
  writing: Promise<void> | undefined
}

const useByDatabase = new WeakMap<Database, KeyUse>()

function keyUseOf({ database }: Pick<App, 'database'>): KeyUse {
  const known = useByDatabase.get(database)
  if (known) return known
  const use: KeyUse = { logged: [], lost: 0, unwritten: new Map(), shared: new Map(), writing: undefined }
  useByDatabase.set(database, use)
  return use
}

const emptyUse = (ownerId: Id): UnwrittenUse => ({
  ownerId,
  calls: 0,
  minute: 0,
  minuteCalls: 0,
  lastTime: '',
  lastIp: '',
})

function unwrittenOf(use: KeyUse, { ownerId, operatorId }: Caller): UnwrittenUse {
  const unwritten = use.unwritten.get(operatorId) ?? emptyUse(ownerId)
  use.unwritten.set(operatorId, unwritten)
  return unwritten
}

/**
 * Counts the call against the key's minute, or refuses it (API-2): exactly in one process, and within the
 * second between two writes over several.
 */
function admit(app: App, caller: Caller): void {
  const use = keyUseOf(app)
  const minute = Math.floor(app.clock() / minuteMs)
  const unwritten = unwrittenOf(use, caller)
  if (unwritten.minute !== minute) {
    unwritten.minute = minute
    unwritten.minuteCalls = 0
  }
  const shared = use.shared.get(caller.operatorId)
  const sharedCalls = shared?.minute === minute ? shared.calls : 0
  if (sharedCalls + unwritten.minuteCalls >= (caller.apiKey?.perMinute ?? 0))
    throw new TooManyRequests(Math.ceil(((minute + 1) * minuteMs - app.clock()) / 1000))
  unwritten.minuteCalls++
}

function record(app: App, caller: Caller, { call, code, tookMs, ip, requestId }: KeyedCall): void {
  const use = keyUseOf(app)
  const time = new Date(app.clock()).toISOString()
  const unwritten = unwrittenOf(use, caller)
  unwritten.calls++
  unwritten.lastTime = time
  unwritten.lastIp = ip
  if (use.logged.length >= maxPendingRows) {
    use.lost++
    return
  }
  use.logged.push({
    owner_id: caller.ownerId,
    key_id: caller.operatorId,
    create_time: time,
    call: call.route,
    title: call.title,
    code,
    took_ms: Math.round(tookMs),
    ip,
    request_id: requestId,
  })
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

/** Adds what this process counted. Returns what all of them have counted in the minute. */
const addUse = (
  tx: Tx,
  ownerId: Id,
  uses: readonly (UnwrittenUse & { readonly id: Id })[],
): Promise<{ id: Id; runMinute: number; runMinuteCalls: number }[]> =>
  tx.rows(sql`
    update api_key k
    set call_count = k.call_count + v.calls,
      last_time = coalesce(v.last_time, k.last_time),
      last_ip = coalesce(v.last_ip, k.last_ip),
      run_minute = greatest(k.run_minute, v.minute),
      run_minute_calls = case
        when k.run_minute = v.minute then k.run_minute_calls + v.minute_calls
        when k.run_minute > v.minute then k.run_minute_calls
        else v.minute_calls
        end
    from jsonb_to_recordset(${JSON.stringify(
      uses.map(({ id, calls, minute, minuteCalls, lastTime, lastIp }) => ({
        id,
        calls,
        minute,
        minute_calls: minuteCalls,
        last_time: lastTime || null,
        last_ip: lastIp || null,
      })),
    )}::jsonb) as v(
      id bigint, calls bigint, minute bigint, minute_calls integer, last_time timestamptz, last_ip text
    )
    where k.owner_id = ${ownerId} and k.id = v.id
    returning k.id, k.run_minute, k.run_minute_calls
  `)

/** What could not be written counts with the next. */
function putBack(use: KeyUse, taken: readonly (UnwrittenUse & { readonly id: Id })[]): void {
  for (const { id, ...lost } of taken) {
    const later = use.unwritten.get(id)
    use.unwritten.set(
      id,
      later
        ? {
            ...later,
            calls: later.calls + lost.calls,
            minuteCalls: later.minuteCalls + (later.minute === lost.minute ? lost.minuteCalls : 0),
          }
        : lost,
    )
  }
}

/** Takes what this process counted; until it is written, its share of the minute is known here alone. */
function takeUnwritten(use: KeyUse): readonly (UnwrittenUse & { readonly id: Id })[] {
  const taken = [...use.unwritten].map(([id, unwritten]) => ({ id, ...unwritten }))
  use.unwritten = new Map()
  for (const { id, ownerId, minute, minuteCalls } of taken) {
    const shared = use.shared.get(id)
    const calls = (shared?.minute === minute ? shared.calls : 0) + minuteCalls
    use.shared.set(id, { ownerId, minute, calls })
  }
  return taken
}

async function writeUse(app: App, use: KeyUse): Promise<void> {
  const minute = Math.floor(app.clock() / minuteMs)
  // A key that this process has seen in this minute may have been used up by the others.
  for (const [id, shared] of use.shared) {
    if (shared.minute !== minute) {
      use.shared.delete(id)
    } else if (!use.unwritten.has(id)) {
      use.unwritten.set(id, { ...emptyUse(shared.ownerId), minute })
    }
  }
  for (const [ownerId, uses] of Map.groupBy(takeUnwritten(use), each => each.ownerId)) {
    const counted = await app.database
      .tx(ownerId, tx => addUse(tx, ownerId, uses))
      .catch((e: unknown) => {
        putBack(use, uses)
        throw e
      })
    for (const { id, runMinute, runMinuteCalls } of counted) {
      use.shared.set(id, { ownerId, minute: Number(runMinute), calls: runMinuteCalls })
    }
  }
}

async function writeLogged(app: App, use: KeyUse): Promise<void> {
  while (use.logged.length) {
    const rows = use.logged.slice(0, rowsPerStatement)
    await app.database.tx('*', tx => insertCalls(tx, rows))
    use.logged = use.logged.slice(rows.length)
  }
  if (use.lost) {
    app.log.warn({ lost: use.lost }, 'calls by key not logged')
    use.lost = 0
  }
}

/** Both in sets, whatever the number of calls; a batch of the log that fails is tried again with the next. */
export function flushKeyUse(app: App): Promise<void> {
  const use = keyUseOf(app)
  return (use.writing ??= writeUse(app, use)
    .then(() => writeLogged(app, use))
    .finally(() => {
      use.writing = undefined
    }))
}

export const apiKeyAccess: ApiKeyAccess = {
  loadCaller: createKeyCallerLoader,
  admit,
  record,
}

/** Writes what is not yet written, as the process ends. */
export const closeKeyUse = (app: App): Promise<void> =>
  flushKeyUse(app)
    .then(() => flushKeyUse(app))
    .catch((err: unknown) => app.log.warn({ err }, 'use of keys not written'))

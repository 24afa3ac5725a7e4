import type { Id } from '#kit/domain/id.ts'
import type { ApiKeyAccess, KeyedCall } from '#kit/server/api-key.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { TooManyRequests } from '#kit/server/rate-limit.ts'
import type { Caller } from '#kit/server/scope.ts'
import { createKeyCallerLoader } from './key-caller.ts'
import {
  countRefused,
  createKeyLog,
  logRefused,
  minuteMs,
  pushLogged,
  writeLogged,
  type KeyLog,
} from './key-log.ts'

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
  unwritten: Map<Id, UnwrittenUse>
  readonly shared: Map<Id, SharedMinute>
  readonly log: KeyLog
  writing: Promise<void> | undefined
}

const useByDatabase = new WeakMap<Database, KeyUse>()

function keyUseOf({ database }: Pick<App, 'database'>): KeyUse {
  const known = useByDatabase.get(database)
  if (known) return known
  const use: KeyUse = {
    unwritten: new Map(),
    shared: new Map(),
    log: createKeyLog(),
    writing: undefined,
  }
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
function admit(app: App, caller: Caller, origin: Pick<KeyedCall, 'ip' | 'requestId'>): void {
  const use = keyUseOf(app)
  const minute = Math.floor(app.clock() / minuteMs)
  const unwritten = unwrittenOf(use, caller)
  if (unwritten.minute !== minute) {
    unwritten.minute = minute
    unwritten.minuteCalls = 0
  }
  const shared = use.shared.get(caller.operatorId)
  const sharedCalls = shared?.minute === minute ? shared.calls : 0
  if (sharedCalls + unwritten.minuteCalls >= (caller.apiKey?.perMinute ?? 0)) {
    countRefused(use.log, caller, minute, { ...origin, time: new Date(app.clock()).toISOString() })
    throw new TooManyRequests(Math.ceil(((minute + 1) * minuteMs - app.clock()) / 1000))
  }
  unwritten.minuteCalls++
}

function record(app: App, caller: Caller, { call, code, tookMs, ip, requestId }: KeyedCall): void {
  const use = keyUseOf(app)
  const time = new Date(app.clock()).toISOString()
  const unwritten = unwrittenOf(use, caller)
  unwritten.calls++
  unwritten.lastTime = time
  unwritten.lastIp = ip
  pushLogged(use.log, {
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

/** Both in sets, whatever the number of calls; a batch of the log that fails is tried again with the next. */
export function flushKeyUse(app: App): Promise<void> {
  const use = keyUseOf(app)
  return (use.writing ??= writeUse(app, use)
    .then(() => writeLogged(app, use.log))
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
export async function closeKeyUse(app: App): Promise<void> {
  try {
    await flushKeyUse(app)
    logRefused(keyUseOf(app).log, Infinity)
    await flushKeyUse(app)
  } catch (err) {
    app.log.warn({ err }, 'use of keys not written')
  }
}

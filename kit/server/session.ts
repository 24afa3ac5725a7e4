import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database } from './db.ts'
import { apiKeyDigest, isApiKey } from './api-key.ts'
import { addEntry, findEntry } from './directory.ts'
import type { Caller } from './scope.ts'
import { openSessionCache, type CachedSession, type SessionCache } from './session-cache.ts'

/** Hours after which an unused token expires (PERM-10). */
export const idleHours = 8
const touchIntervalMs = 60_000
/** Requests under way with a renewed token may still finish. */
const renewalGraceMs = 60_000

export interface Session {
  readonly caller: Caller
  readonly id: Id
  readonly expiresAt: number
}

/**
 * Reads an operator and the permissions; undefined when the operator may no longer sign in. Provided by the
 * accounts module.
 */
export type LoadCaller = (ownerId: Id, operator: Id) => Promise<Caller | undefined>

/** From where somebody signs in. */
export interface Device {
  readonly ip: string
  readonly agent: string
  readonly kind?: string
}

export interface Sessions {
  create(ownerId: Id, operator: Id, device: Device): Promise<string>
  /**
   * The session behind a token; nothing when it is unknown, ended or idle too long. Counts as use unless
   * `peek`.
   */
  find(token: string, peek?: boolean): Promise<Session | undefined>
  /**
   * The caller behind an API key; nothing when it is unknown, revoked or expired. `refresh` with the key's
   * number makes every node read it again.
   */
  findKey(secret: string): Promise<Caller | undefined>
  /** A new token for an old one, which ends (a minute's grace lets requests under way finish). */
  renew(token: string): Promise<string | undefined>
  end(token: string): Promise<void>
  /** Ends an operator's sessions on all nodes at once, but the one of `exceptToken`. */
  endAll(ownerId: Id, operator: Id, exceptToken?: string): Promise<void>
  /** Ends one session of an operator by its number; whether there was one. */
  endOne(ownerId: Id, operator: Id, id: Id): Promise<boolean>
  /** Makes sessions reload their operator's permissions. */
  refresh(ownerId: Id, operator: Id | 'all'): Promise<void>
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
const tokenKey = (token: string): string => hashToken(token).toString('hex')

interface SessionEnvironment {
  readonly database: Database
  readonly clock: () => number
  readonly loadCaller: LoadCaller
  readonly cache: SessionCache
}

const expiryOf = (clock: () => number, minutes = idleHours * 60): Date => new Date(clock() + minutes * 60_000)

const newToken = (): string => randomBytes(32).toString('base64url')

async function createSession(
  { database, clock }: SessionEnvironment,
  ownerId: Id,
  operator: Id,
  device: Device,
): Promise<string> {
  const token = newToken()
  await database.tx(ownerId, async tx => {
    const created = await tx.one<{ id: Id }>(sql`
      insert into session_token (
        owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
      )
      values (
        ${ownerId}, ${operator}, ${hashToken(token)}, ${device.kind ?? 'web'}, ${device.ip},
        ${device.agent.slice(0, 200)}, ${new Date(clock())}, ${new Date(clock())}, ${expiryOf(clock)}
      )
      returning id
    `)
    await addEntry(tx, 'session', tokenKey(token), { ownerId, refId: defined(created).id })
  })
  return token
}

async function readSession(
  { database, clock, loadCaller }: SessionEnvironment,
  token: string,
): Promise<Session | undefined> {
  const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
  if (!entry) return undefined
  const row = await database
    .reader(entry.ownerId)
    .one<{ id: Id; ownerId: Id; operatorId: Id; expiresAt: string }>(
      sql`
        select id, owner_id, operator_id, extract(epoch from expire_time) * 1000 as expires_at
        from session_token
        where owner_id = ${entry.ownerId}
          and id = ${entry.refId}
          and expire_time > ${new Date(clock())}
          and (end_time is null or end_time > ${new Date(clock())})
      `,
    )
  const caller = row && (await loadCaller(row.ownerId, row.operatorId))
  return caller && { caller, id: row.id, expiresAt: Number(row.expiresAt) }
}

/**
 * Writes that the session was used, at most once a minute. It is awaited: another process that reads the
 * session must find its new expiry.
 */
async function recordUse({ database, clock }: SessionEnvironment, cached: CachedSession): Promise<void> {
  const { caller, id } = cached.session
  const expiry = expiryOf(clock, caller.idleMinutes)
  cached.touchedAt = clock()
  cached.session = { ...cached.session, expiresAt: expiry.getTime() }
  await database
    .tx(caller.ownerId, tx =>
      tx.execute(
        sql`
          update session_token
          set last_time = ${new Date(clock())}, expire_time = ${expiry}
          where owner_id = ${caller.ownerId} and id = ${id} and end_time is null
        `,
      ),
    )
    .catch(() => {})
}

async function findSession(
  environment: SessionEnvironment,
  token: string,
  peek = false,
): Promise<Session | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const { cache, clock } = environment
  const cached = await cache.get(token, () => readSession(environment, token))
  if (cached && !peek && clock() - cached.touchedAt >= touchIntervalMs) {
    await recordUse(environment, cached)
  }
  return cached?.session
}

async function readKey(
  { database, clock, loadCaller }: SessionEnvironment,
  secret: string,
): Promise<Session | undefined> {
  const entry = await findEntry(database.reader('*'), 'api_key', apiKeyDigest(secret))
  const caller = entry && (await loadCaller(entry.ownerId, entry.refId))
  return caller?.apiKey && caller.apiKey.expiresAt > clock()
    ? { caller, id: caller.operatorId, expiresAt: caller.apiKey.expiresAt }
    : undefined
}

async function findKey(environment: SessionEnvironment, secret: string): Promise<Caller | undefined> {
  if (!isApiKey(secret)) return undefined
  const cached = await environment.cache.get(secret, () => readKey(environment, secret))
  return cached?.session.caller
}

async function renewSession(
  { database, clock }: SessionEnvironment,
  token: string,
): Promise<string | undefined> {
  const renewedToken = newToken()
  const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
  if (!entry) return undefined
  const { ownerId, refId } = entry
  const isRenewed = await database.tx(ownerId, async tx => {
    const ended = await tx.execute(
      sql`
        update session_token
        set end_time = ${new Date(clock() + renewalGraceMs)}
        where owner_id = ${ownerId}
          and id = ${refId}
          and end_time is null
          and expire_time > ${new Date(clock())}
      `,
    )
    if (!ended) return false
    const created = await tx.one<{ id: Id }>(sql`
      insert into session_token (
        owner_id, operator_id, hash, kind, ip, agent, create_time, last_time, expire_time
      )
      select owner_id, operator_id, ${hashToken(renewedToken)}, kind, ip, agent, ${new Date(clock())},
        ${new Date(clock())}, ${expiryOf(clock)}
      from session_token
      where owner_id = ${ownerId} and id = ${refId}
      returning id
    `)
    await addEntry(tx, 'session', tokenKey(renewedToken), { ownerId, refId: defined(created).id })
    return true
  })
  return isRenewed ? renewedToken : undefined
}

async function endSession({ database, clock, cache }: SessionEnvironment, token: string): Promise<void> {
  const entry = await findEntry(database.reader('*'), 'session', tokenKey(token))
  if (entry) {
    await database.tx(entry.ownerId, tx =>
      tx.execute(
        sql`
          update session_token
          set end_time = ${new Date(clock())}
          where owner_id = ${entry.ownerId} and id = ${entry.refId} and end_time is null
        `,
      ),
    )
  }
  cache.delete(token)
  if (entry) {
    await cache.forgetEverywhere({ ownerId: entry.ownerId, id: entry.refId })
  }
}

async function endOperatorSessions(
  { database, clock, cache }: SessionEnvironment,
  ownerId: Id,
  operator: Id,
  exceptToken?: string,
): Promise<void> {
  await database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update session_token
        set end_time = ${new Date(clock())}
        where owner_id = ${ownerId}
          and operator_id = ${operator}
          and end_time is null
          and hash <> ${exceptToken ? hashToken(exceptToken) : Buffer.alloc(0)}
      `,
    ),
  )
  await cache.forgetEverywhere({ ownerId, operator })
}

async function endSessionById(
  { database, clock, cache }: SessionEnvironment,
  ownerId: Id,
  operator: Id,
  id: Id,
): Promise<boolean> {
  const ended = await database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update session_token
        set end_time = ${new Date(clock())}
        where owner_id = ${ownerId} and operator_id = ${operator} and id = ${id} and end_time is null
      `,
    ),
  )
  await cache.forgetEverywhere({ ownerId, id })
  return ended > 0
}

/**
 * Tokens are random and stored as hashes. What a token stands for is cached briefly; every node hears of
 * changes.
 */
export async function openSessions(
  database: Database,
  clock: () => number,
  loadCaller: LoadCaller,
): Promise<Sessions> {
  const cache = await openSessionCache(database, clock)
  const environment: SessionEnvironment = { database, clock, loadCaller, cache }
  return {
    create: (ownerId, operator, device) => createSession(environment, ownerId, operator, device),
    find: (token, peek) => findSession(environment, token, peek),
    findKey: secret => findKey(environment, secret),
    renew: token => renewSession(environment, token),
    end: token => endSession(environment, token),
    endAll: (ownerId, operator, exceptToken) =>
      endOperatorSessions(environment, ownerId, operator, exceptToken),
    endOne: (ownerId, operator, id) => endSessionById(environment, ownerId, operator, id),
    refresh: (ownerId, operator) => cache.forgetEverywhere({ ownerId, operator }),
  }
}

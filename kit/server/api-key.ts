import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '#kit/contract/call.ts'
import type { App } from './app.ts'
import type { Database } from './db.ts'
import { SignInRequired } from './handler/authorize.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Caller } from './scope.ts'
import type { LoadCaller } from './session.ts'

/** One call that a key made, as its log keeps it. */
export interface KeyedCall {
  readonly call: Call
  readonly code: number
  readonly tookMs: number
  readonly ip: string
  readonly requestId: string
}

/** What the module of the keys does for the kit. */
export interface ApiKeyAccess {
  /** The caller of a key by its number; nothing when it is revoked, or is no key's. */
  readonly loadCaller: (database: Database) => LoadCaller
  /** Throws `TooManyRequests` beyond the key's own rate, and notes that it did. */
  readonly admit: (app: App, caller: Caller, origin: Pick<KeyedCall, 'ip' | 'requestId'>) => void
  /** Notes an answered call; neither waits nor fails. */
  readonly record: (app: App, caller: Caller, keyed: KeyedCall) => void
}

/** Sets a key apart from other secrets, for people and for the scanners of source hosts. */
const keyPrefix = 'anju_'
/** 256 random bits. */
const secretBytes = 32
const keyPattern = /^anju_[\w-]{43}$/

export const newApiKey = (): string => keyPrefix + randomBytes(secretBytes).toString('base64url')

/** By what a key is recognised in lists: far too little to guess the rest. */
export const visibleStart = (secret: string): string => secret.slice(0, keyPrefix.length + 6)

export const isApiKey = (text: string): boolean => keyPattern.test(text)

/** All that is stored of a key. A plain digest is enough: there is nothing to guess in 256 random bits. */
export const apiKeyDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const wrongKeyDelayMs = 300

/** The key of `Authorization: Bearer …`, or nothing where the header is not sent. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '')

/**
 * Whose key it is. A wrong one learns nothing but that (401), after a pause; an address that tries many is
 * asked to wait (429).
 */
export async function requireKeyCaller(
  { sessions }: Pick<App, 'sessions'>,
  rateLimiter: Pick<RateLimiter, 'throttle'>,
  secret: string,
  ip: string,
): Promise<Caller> {
  const caller = await sessions.findKey(secret)
  if (caller) return caller
  rateLimiter.throttle(undefined, ip)
  await pause(wrongKeyDelayMs)
  throw new SignInRequired('接口密钥无效或已停用')
}

interface KeyModule {
  readonly server: { readonly apiKeys?: ApiKeyAccess }
}

export const apiKeysOf = (installed: readonly KeyModule[]): ApiKeyAccess | undefined =>
  installed.find(({ server }) => server.apiKeys)?.server.apiKeys

/** Accounts first, then keys: their numbers come from one sequence and never meet. */
export function withKeyCallers(
  loadAccount: LoadCaller,
  database: Database,
  installed: readonly KeyModule[],
): LoadCaller {
  const loadKey = apiKeysOf(installed)?.loadCaller(database)
  return async (ownerId, operator) =>
    (await loadAccount(ownerId, operator)) ?? (await loadKey?.(ownerId, operator))
}

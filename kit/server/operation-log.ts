import { isWrite, type Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { wireMembersOf } from '#kit/contract/wire/members.ts'
import { sql, type Database } from './db.ts'
import type { IncomingRequest, Handler } from './handler.ts'
import type { App } from './app.ts'
import type { Caller } from './scope.ts'

/**
 * Who did what, by the titles of the calls: writes, downloads and refusals of signed-in callers (the `flag`
 * header).
 */
export interface OperationLog {
  record(handler: Handler, request: IncomingRequest, answer: Envelope | undefined, tookMs: number): void
  /** Writes the entries not yet written. */
  close(): Promise<void>
}

const secretKeyPattern = /passw|pwd|token|secret|captcha|smscode|authcode|^sign(ature)?$/i
const secretTextPattern = /passw|pwd|token|secret|captcha|smscode|authcode|"sign/i

/** Names in lower case, beside those that always speak of a secret. */
type SecretNames = ReadonlySet<string>

const secretNamesByShape = new WeakMap<object, SecretNames>()

/** The names under which the input declares a secret (`masked: 'secret'`), nested rows included. */
function secretNamesOf(input: Shape | Fields): SecretNames {
  const known = secretNamesByShape.get(input)
  if (known) return known
  const names = new Set<string>()
  // Rows that hold rows of their own kind end here.
  secretNamesByShape.set(input, names)
  for (const { field, lowerNames, nested } of wireMembersOf(input)) {
    const inner = nested && (typeof field.fields === 'function' ? field.fields() : field.fields)
    const found = inner ? secretNamesOf(inner) : field.masked === 'secret' ? lowerNames : []
    for (const name of found) {
      names.add(name)
    }
  }
  return names
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const maxPending = 5000
const batchSize = 500
const flushIntervalMs = 1000

/** After this long a call that has ended is in the log, whichever process answered it. */
export const loggedWithinMs = flushIntervalMs + 250

/** Without what a column of text cannot store. */
const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

const mentionsSecret = (text: string, secretNames: SecretNames): boolean => {
  if (secretTextPattern.test(text)) return true
  const lowerText = text.toLowerCase()
  return [...secretNames].some(name => lowerText.includes(name))
}

const maskText = (text: string, secretNames: SecretNames, depth: number): string => {
  if (/^\s*[{[]/.test(text) && mentionsSecret(text, secretNames)) {
    const parsed = parseJson(text)
    return parsed === undefined
      ? '***'
      : JSON.stringify(maskSecrets(parsed, secretNames, depth + 1)).slice(0, 2000)
  }
  return storableText(text.length > 500 ? `${text.slice(0, 500)}…` : text)
}

const maskList = (list: readonly unknown[], secretNames: SecretNames, depth: number): unknown[] => [
  ...list.slice(0, 50).map(item => maskSecrets(item, secretNames, depth + 1)),
  ...(list.length > 50 ? [`… ${list.length}`] : []),
]

/** A request as it may be kept: secrets starred, long texts and lists cut. */
function maskSecrets(value: unknown, secretNames: SecretNames, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value, secretNames, depth)
  if (value === null || typeof value !== 'object') return value
  if (depth > 6) return '…'
  if (Array.isArray(value)) return maskList(value, secretNames, depth)
  const isSecret = (key: string): boolean => secretKeyPattern.test(key) || secretNames.has(key.toLowerCase())
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, member]) => [
        storableText(key).slice(0, 60),
        isSecret(key) ? '***' : maskSecrets(member, secretNames, depth + 1),
      ]),
  )
}

/** What the log keeps of a request to the call. */
export const loggedInputOf = ({ input }: Call, raw: object): unknown => maskSecrets(raw, secretNamesOf(input))

/** A row of `operation_log`, with the names of its columns. */
type LogRow = Readonly<Record<string, unknown>>

const insertRows = (database: Database, rows: readonly LogRow[]): Promise<number> =>
  database.tx('*', tx =>
    tx.execute(sql`
      insert into operation_log (
        owner_id, create_time, operator_id, operator_name, ip, request_id, call, title, project_code, code,
        message, input, took_ms
      )
      select *
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        owner_id bigint, create_time timestamptz, operator_id bigint, operator_name text, ip text,
        request_id text, call text, title text, project_code text, code integer, message text, input jsonb,
        took_ms integer
      )
      returning id
    `),
  )

const isLogged = ({ call }: Handler, answer: Envelope | undefined): boolean =>
  isWrite(call) || call.output.form === 'blob' || (answer !== undefined && answer.Code !== resultCode.ok)

const rowOf = (
  { call }: Handler,
  caller: Caller,
  request: IncomingRequest,
  answer: Envelope | undefined,
): LogRow => {
  const project = request.raw.ProjectCode
  return {
    owner_id: caller.ownerId,
    operator_id: caller.operatorId,
    operator_name: caller.name,
    ip: request.ip,
    request_id: request.requestId,
    call: call.route,
    title: call.logTitle?.(request.raw) ?? call.title,
    project_code: typeof project === 'string' && project ? storableText(project.slice(0, 20)) : null,
    code: answer?.Code ?? resultCode.ok,
    message: answer?.Message ?? '',
    input: call.logsNoInput ? null : loggedInputOf(call, request.raw),
  }
}

/**
 * Collected and written in batches: it neither delays nor fails the call it records; beyond its bound the
 * oldest entries are lost, which the server's log reports.
 */
export function openOperationLog(database: Database, clock: () => number, log: App['log']): OperationLog {
  let pending: LogRow[] = []
  let lost = 0
  let flushing: Promise<void> | undefined
  const writePending = async (): Promise<void> => {
    while (pending.length) {
      const rows = pending.slice(0, batchSize)
      await insertRows(database, rows)
      pending = pending.slice(rows.length)
    }
    if (lost) {
      log.warn({ lost }, 'operation log entries lost')
      lost = 0
    }
  }
  // A batch that fails stays pending and is tried again with the next.
  const flush = (): Promise<void> =>
    (flushing ??= writePending()
      .catch((err: unknown) => log.warn({ err }, 'operation log not written'))
      .finally(() => {
        flushing = undefined
      }))
  const timer = setInterval(() => {
    if (pending.length) {
      flush().catch(() => {})
    }
  }, flushIntervalMs)
  timer.unref()
  return {
    record: (handler, request, answer, tookMs) => {
      const { caller } = request
      if (!caller || !isLogged(handler, answer)) return
      // The rows of a batch under way are the first ones; they must stay where they are.
      if (pending.length >= maxPending) {
        pending.splice(batchSize, 1)
        lost++
      }
      pending.push({
        ...rowOf(handler, caller, request, answer),
        create_time: new Date(clock()).toISOString(),
        took_ms: Math.round(tookMs),
      })
    },
    close: async () => {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}

import { isWrite } from '#kit/contract/call.ts'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { sql, type Database } from './db.ts'
import type { IncomingRequest, Handler } from './handler.ts'
import type { App } from './app.ts'

/**
 * Who did what, in the words of the call: commands, downloads and refusals of signed-in callers (the `flag`
 * header).
 */
export interface OperationLog {
  record(h: Handler, asked: IncomingRequest, answered: Envelope | undefined, tookMs: number): void
  /** Writes what is still held. */
  close(): Promise<void>
}

const secretKeyPattern = /passw|pwd|token|secret|captcha|smscode|authcode|^sign(ature)?$/i
const secretTextPattern = /passw|pwd|token|secret|captcha|smscode|authcode|"sign/i

const parseJson = (s: string): unknown => {
  try {
    return JSON.parse(s)
  } catch {
    return undefined
  }
}

const maxHeld = 5000
const batchSize = 500

/** A request as it may be kept: secrets starred, long texts and lists cut. */
export function maskSecrets(v: unknown, depth = 0): unknown {
  if (typeof v === 'string' && /^\s*[{[]/.test(v) && secretTextPattern.test(v)) {
    const inside = parseJson(v)
    return inside === undefined ? '***' : JSON.stringify(maskSecrets(inside, depth + 1)).slice(0, 2000)
  }
  if (typeof v === 'string')
    return (v.length > 500 ? `${v.slice(0, 500)}…` : v).toWellFormed().replaceAll('\0', '')
  if (v === null || typeof v !== 'object') return v
  if (depth > 6) return '…'
  if (Array.isArray(v))
    return [
      ...v.slice(0, 50).map(x => maskSecrets(x, depth + 1)),
      ...(v.length > 50 ? [`… ${v.length}`] : []),
    ]
  return Object.fromEntries(
    Object.entries(v)
      .slice(0, 100)
      .map(([k, x]) => [
        k.toWellFormed().replaceAll('\0', '').slice(0, 60),
        secretKeyPattern.test(k) ? '***' : maskSecrets(x, depth + 1),
      ]),
  )
}

/**
 * Held and written in batches: it neither delays nor fails the call it speaks of; past its bound the oldest
 * lines are lost, and that is said in the server's log.
 */
export function openOperationLog(
  database: Database,
  clock: () => number,
  log: App['log'],
  everyMs = 1000,
): OperationLog {
  let held: object[] = []
  let lost = 0
  let flushing: Promise<void> | undefined
  const write = async (): Promise<void> => {
    while (held.length) {
      const rows = held.slice(0, batchSize)
      await database.tx('*', tx =>
        tx.execute(sql`
          insert into operation_log (
            owner_id, create_time, operator_id, operator_name, ip, request_id, call, title, project_code,
            code, message, input, took_ms
          )
          select *
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
            owner_id bigint, create_time timestamptz, operator_id bigint, operator_name text, ip text,
            request_id text, call text, title text, project_code text, code integer, message text,
            input jsonb, took_ms integer
          )
          returning id
        `),
      )
      held = held.slice(rows.length)
    }
    if (lost) {
      log.warn({ lost }, 'operation log lines lost')
      lost = 0
    }
  }
  // A batch that fails stays held and is tried again with the next.
  const flush = (): Promise<void> =>
    (flushing ??= write()
      .catch(err => log.warn({ err }, 'operation log not written'))
      .finally(() => {
        flushing = undefined
      }))
  const timer = setInterval(() => {
    if (held.length) {
      void flush()
    }
  }, everyMs)
  timer.unref()
  return {
    record: ({ call }, asked, answered, tookMs) => {
      const { caller } = asked
      const refused = answered !== undefined && answered.Code !== resultCode.ok
      if (!caller || !(isWrite(call) || call.output.form === 'blob' || refused)) return
      // The rows of a batch under way are the first ones; they must stay where they are.
      if (held.length >= maxHeld) {
        held.splice(batchSize, 1)
        lost++
      }
      const project = asked.raw.ProjectCode
      held.push({
        owner_id: caller.ownerId,
        create_time: new Date(clock()).toISOString(),
        operator_id: caller.operatorId,
        operator_name: caller.name,
        ip: asked.ip,
        request_id: asked.requestId,
        call: call.route,
        title: call.title,
        project_code:
          typeof project === 'string' && project
            ? project.slice(0, 20).toWellFormed().replaceAll('\0', '')
            : null,
        code: answered?.Code ?? resultCode.ok,
        message: answered?.Message ?? '',
        input: maskSecrets(asked.raw),
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

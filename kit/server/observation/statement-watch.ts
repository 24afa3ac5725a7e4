import { settings } from '../settings.ts'
import { currentOperation, type Operation } from './operation.ts'
import { startChild } from './tracing.ts'

const maxTextLength = 500
const shorten = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)

/** `select bill`: the keyword and the first table, which name a statement's span. */
function statementTitle(text: string): string {
  const keyword = /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete|call|analyze)\b/i.exec(text)?.[1]
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  return [keyword?.toLowerCase() ?? 'statement', table].filter(Boolean).join(' ')
}

let slowMs: number | undefined

function report(operation: Operation, text: string, ms: number, startedAt: number, isFailed: boolean): void {
  const { log, name, span } = operation
  slowMs ??= settings.slowStatementMs.read()
  const rounded = Math.round(ms * 10) / 10
  if (ms >= slowMs) {
    log.warn({ operation: name, ms: rounded, statement: shorten(text) }, 'slow statement')
  } else if (log.level === 'debug' || log.level === 'trace') {
    log.debug({ operation: name, ms: rounded, statement: shorten(text) }, 'statement')
  }
  if (!span) return
  const child = startChild(
    span,
    statementTitle(text),
    { 'db.system.name': 'postgresql', 'db.query.text': shorten(text) },
    startedAt,
  )
  if (isFailed) {
    child?.setStatus({ code: 2 })
  }
  child?.end()
}

/** When a connection answered last: what was sent before that waited in its line. */
const answeredAt = new WeakMap<object, number>()

/**
 * Watches a statement of an operation: slow ones are logged by its name, all become spans where tracing is
 * on. Its time begins when the one before it on the same connection has been answered.
 */
export function watchStatement<T>(connection: object, text: string, sent: Promise<T>): Promise<T> {
  const operation = currentOperation()
  if (!operation) return sent
  const sentAt = performance.now()
  const end = (isFailed: boolean): void => {
    const now = performance.now()
    const started = Math.max(sentAt, answeredAt.get(connection) ?? 0)
    answeredAt.set(connection, now)
    report(operation, text, now - started, performance.timeOrigin + started, isFailed)
  }
  sent.then(
    () => end(false),
    () => end(true),
  )
  return sent
}

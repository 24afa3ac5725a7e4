import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span } from '@opentelemetry/api'
import type { FastifyBaseLogger } from 'fastify'
import { startSpan } from './tracing.ts'
import { parseTraceparent, traceparentOf, type TraceParent } from './traceparent.ts'

/** What the server is doing: a call, a job or a cron. Statements and log lines are named by it. */
export interface Operation {
  /** `Bill/GetPagedList`, `job bills.generate`, `cron sweep`. */
  readonly name: string
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'debug' | 'level'>
  /** Whose trace it continues: the caller's, or the one of the request that began the job. */
  readonly parent: TraceParent | undefined
  readonly span: Span | undefined
}

const running = new AsyncLocalStorage<Operation>()

export const currentOperation = (): Operation | undefined => running.getStore()

/** The trace under way, to continue it in another process or at another time. */
export function currentTraceparent(): string | undefined {
  const operation = running.getStore()
  if (operation?.span) return traceparentOf(operation.span.spanContext())
  return operation?.parent?.text
}

export interface OperationOptions {
  readonly name: string
  readonly kind: 'request' | 'job'
  readonly log: Operation['log']
  readonly traceparent?: string | undefined
  readonly attributes?: Attributes
}

/** Runs the work as an operation; its span ends with the work, and tells whether that failed. */
export async function runOperation<T>(
  { name, kind, log, traceparent, attributes = {} }: OperationOptions,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const parent = parseTraceparent(traceparent)
  const span = startSpan(name, kind, parent, attributes)
  const operation: Operation = { name, log, parent, span }
  try {
    return await running.run(operation, () => work(operation))
  } catch (error) {
    span?.recordException(error instanceof Error ? error : String(error))
    throw error
  } finally {
    span?.end()
  }
}

import type { Attributes, Span } from '@opentelemetry/api'
import { settings } from '../settings.ts'
import type { TraceParent } from './traceparent.ts'

/** What the SDK gives, loaded where a collector is named. */
export interface Tracing {
  startSpan(name: string, kind: SpanKindName, parent: TraceParent | undefined, attributes: Attributes): Span
  /** A statement or another step within a span. */
  startChild(parent: Span, name: string, attributes: Attributes, startTime: number): Span
  /** Sends what is still held. */
  close(): Promise<void>
}

export type SpanKindName = 'request' | 'job'

let tracing: Tracing | undefined

/** Opens tracing once for this process, if `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector. */
export async function openTracing(version: string): Promise<void> {
  if (tracing || !settings.traceEndpoint.read()) return
  const { openSdk } = await import('./tracing-sdk.ts')
  tracing = openSdk({ version, service: settings.traceService.read() })
}

export async function closeTracing(): Promise<void> {
  const open = tracing
  tracing = undefined
  await open?.close()
}

export const startSpan = (...args: Parameters<Tracing['startSpan']>): Span | undefined =>
  tracing?.startSpan(...args)

export const startChild = (...args: Parameters<Tracing['startChild']>): Span | undefined =>
  tracing?.startChild(...args)

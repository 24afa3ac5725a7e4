/** A trace that somebody else began, as the header `traceparent` (W3C Trace Context) names it. */
export interface TraceParent {
  readonly text: string
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

/** Undefined where the header is missing, malformed or all zeros, as the standard requires. */
export function parseTraceparent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags] = pattern.exec(text ?? '') ?? []
  if (!version || !traceId || !spanId || !flags) return undefined
  if (version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { text: `00-${traceId}-${spanId}-${flags}`, traceId, spanId, traceFlags: parseInt(flags, 16) }
}

export const traceparentOf = (span: {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}): string => `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`

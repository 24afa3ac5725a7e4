import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Tracing } from './tracing.ts'

const kinds = { request: SpanKind.SERVER, job: SpanKind.CONSUMER } as const

/**
 * The official SDK: spans are sent in batches to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; the
 * SDK reads that and its other settings (headers, sampling) itself.
 */
export function openSdk({ version, service }: { version: string; service: string }): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('anju', version)
  return {
    startSpan: (name, kind, parent, attributes) =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], attributes },
        parent
          ? trace.setSpanContext(ROOT_CONTEXT, {
              traceId: parent.traceId,
              spanId: parent.spanId,
              traceFlags: parent.traceFlags,
              isRemote: true,
            })
          : ROOT_CONTEXT,
      ),
    startChild: (parent, name, attributes, startTime) =>
      tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes, startTime },
        trace.setSpan(ROOT_CONTEXT, parent),
      ),
    close: () => provider.shutdown(),
  }
}

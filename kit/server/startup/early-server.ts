import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { preparationCss, preparationHtml, preparationJs } from './preparation-page.ts'
import type { PreparationState } from './startup-progress.ts'

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

const notStarted = json(503, { Code: 10500, Message: '系统正在启动，请稍后重试', Data: null })

function answerOf(path: string, state: () => PreparationState): Answer {
  switch (path) {
    case '/healthz':
      return json(200, { ok: true })
    case '/readyz':
      return json(503, { ok: false, why: 'starting' })
    case '/preparation.json':
      return json(200, state())
    case '/preparation.css':
      return { status: 200, type: 'text/css; charset=utf-8', body: preparationCss }
    case '/preparation.js':
      return { status: 200, type: 'text/javascript; charset=utf-8', body: preparationJs }
    default:
  }
  if (/^\/(api|metrics)(\/|$)/i.test(path)) return notStarted
  // 503: neither a browser nor a proxy keeps it, and a monitor that asks for the page sees the truth.
  return { status: 503, type: 'text/html; charset=utf-8', body: preparationHtml }
}

/**
 * Answers on the port while the product is being prepared: people see how far it is, monitors that it lives
 * and is not ready, clients when to try again. The product takes the open port over (`takeOver`), so that no
 * connection is refused in between.
 */
export async function openEarlyServer(
  { port, host }: { readonly port: number; readonly host: string },
  state: () => PreparationState,
): Promise<Server> {
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const { status, type, body } = answerOf((req.url ?? '/').split('?')[0] ?? '/', state)
    res.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      // A kept connection would go on with this server after the product has taken the port.
      connection: 'close',
      ...(status === 503 ? { 'retry-after': '2' } : {}),
    })
    res.end(req.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return server
}

/** The next connections of the open port come to `successor`; those under way end with their responses. */
export async function takeOver(early: Server, successor: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    successor.once('error', reject)
    successor.listen(early, () => {
      successor.off('error', reject)
      resolve()
    })
  })
}

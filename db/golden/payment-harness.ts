import { portOf } from '#kit/server/fixtures/port.ts'
import { joinedHeaders } from '#kit/server/raw-endpoint.ts'
import { defined } from '#kit/domain/defined.ts'
import { createServer, type Server } from 'node:http'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { orderEntries } from '#modules/payments/server/order-entry.ts'
import { getSimulator } from '#modules/payments/server/simulator/gateway.ts'
import type { Behaviour } from '#modules/payments/server/simulator/order-store.ts'
import { openGoldenApp } from './golden-app.ts'

/** `/api/a/:b` against a path. */
const routes = orderEntries.map(entry => {
  const [method, at = ''] = entry.route.split(' ')
  const names = [...at.matchAll(/:(\w+)/g)].map(m => m[1])
  return { method, names, pattern: new RegExp(`^${at.replaceAll(/:\w+/g, '([^/]+)')}$`), run: entry.run }
})

/** Hands the requests of a socket to the payers' pages of the app. */
function servePayers(app: App, originOf: () => string): Server {
  return createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const at = new URL(defined(request.url), 'http://us')
        const route = routes.find(r => r.method === request.method && r.pattern.test(at.pathname))
        if (!route) return void response.writeHead(404).end()
        const params = Object.fromEntries(
          defined(route.pattern.exec(at.pathname))
            .slice(1)
            .map((value, i) => [route.names[i], value]),
        )
        const entryRequest = {
          params,
          query: at.searchParams,
          headers: joinedHeaders(request.headers),
          body: Buffer.concat(parts).toString(),
          bytes: Buffer.concat(parts),
          ip: '127.0.0.1',
          agent: 'phone',
          origin: originOf(),
        }
        route.run(entryRequest, app).then(
          ({ status, location, body }) =>
            response.writeHead(status ?? 200, location ? { location } : {}).end(body),
          error => response.writeHead(500).end(String(error)),
        )
      })
  })
}

/**
 * A golden company served on a socket and the channels' simulators beside it: callbacks come in as
 * they would in life.
 */
export async function openPaymentHarness() {
  const t = await openGoldenApp()
  const me = await t.owner
  const ownerId = t.ownerId
  const httpServer = servePayers(t.app, () => origin)
  await new Promise<void>(done => httpServer.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${portOf(httpServer)}`
  Object.assign(t.app, { originUrl: () => origin })
  const gateway = (await getSimulator(t.app, { slow: 40, late: 1500, again: [] })).address
  // What the platform sells is paid to its own account.
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        insert into pay_channel (owner_id, channel, simulated, enabled)
        values (0, 10, true, true), (${ownerId}, 10, true, true)
        on conflict do nothing
      `,
    ),
  )
  const scan = async (o: { readonly url: string }, by = 'wechat'): Promise<string> => {
    const go = await fetch(`${origin}${o.url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=${by}`, {
      redirect: 'manual',
    })
    if (go.status !== 303) throw new Error(`no way to pay: ${await go.text()}`)
    return defined(go.headers.get('location'))
  }
  return {
    t,
    me,
    ownerId,
    origin,
    gateway,
    scan,
    /** The payer opens the picture's address, chooses a channel, and pays on the phone's page. */
    pay: async (o: { readonly url: string }, behaviour: Behaviour, by = 'wechat'): Promise<void> => {
      const sent = await scan(o, by)
      const phone = new URL(
        by === 'alipay' ? defined((await fetch(sent, { redirect: 'manual' })).headers.get('location')) : sent,
      )
      const done = await fetch(`${gateway}${phone.pathname}`, {
        method: 'POST',
        body: new URLSearchParams({ how: behaviour, key: defined(phone.searchParams.get('key')) }),
        redirect: 'manual',
      })
      if (done.status !== 303) throw new Error(`the phone's page answers ${done.status}`)
    },
    close: async (): Promise<void> => {
      httpServer.closeAllConnections()
      httpServer.close()
      await t.close()
    },
  }
}

export type PaymentHarness = Awaited<ReturnType<typeof openPaymentHarness>>

export const waitUntil = async <T>(get: () => Promise<T>, good: (v: T) => boolean): Promise<T> => {
  for (let i = 0; ; i++) {
    const v = await get()
    if (good(v) || i > 200) return v
    await new Promise(r => setTimeout(r, 25))
  }
}

import { mkdtempSync } from 'node:fs'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest, type Envelope } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import type { Interval } from '#kit/server/intervals.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden, password } from '#db/golden/golden-data.ts'

export type Sender = { readonly token: string } | { readonly key: string }

export interface HttpAnswer {
  readonly status: number
  readonly envelope: Envelope
}

/** Two servers on one database, as two processes are; their clock is turned together. */
export class IntegrationServers {
  readonly database: TestDatabase
  readonly servers: readonly [Server, Server]
  readonly intervals: readonly Interval[]
  ownerId: Id = 0
  readonly #offset: { ms: number }

  private constructor(
    database: TestDatabase,
    servers: readonly [Server, Server],
    intervals: readonly Interval[],
    offset: { ms: number },
  ) {
    this.database = database
    this.servers = servers
    this.intervals = intervals
    this.#offset = offset
  }

  static async open(): Promise<IntegrationServers> {
    const database = await openTestDatabase()
    const dataDir = mkdtempSync(`${createTestFolder()}/data-`)
    const offset = { ms: 0 }
    // What repeats is run by the tests themselves.
    const modules = await loadInstalledModules()
    const own = defined(modules.find(({ manifest }) => manifest.name === 'integrations'))
    const installed = modules.map(m => (m === own ? { ...m, server: { ...m.server, intervals: [] } } : m))
    const open = (): Promise<Server> =>
      openServer({
        databaseUrl: database.url,
        dataDir,
        installed,
        loadCaller: createCallerLoader,
        version: 'test',
        pool: 6,
        runsJobs: false,
        clock: () => Date.now() + offset.ms,
        logging: { logger: process.env.SERVER_LOG ? { level: process.env.SERVER_LOG } : false },
      })
    const servers = [await open(), await open()] as const
    for (const server of servers) {
      await server.http.listen({ port: 0, host: '127.0.0.1' })
    }
    const opened = new IntegrationServers(database, servers, own.server.intervals ?? [], offset)
    const ownerId = await opened.app.database
      .reader('*')
      .one<{ ownerId: Id }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`)
    opened.ownerId = defined(ownerId).ownerId
    return opened
  }

  get app() {
    return this.servers[0].app
  }

  origin(index: 0 | 1 = 0): string {
    return `http://127.0.0.1:${portOf(this.servers[index].http.server)}`
  }

  turn(ms: number): void {
    this.#offset.ms += ms
  }

  async callRaw(call: Call, input: unknown, sender?: Sender, index: 0 | 1 = 0): Promise<HttpAnswer> {
    const r = encodeRequest(call, input, {})
    const response = await fetch(`${this.origin(index)}/api/${r.path}${r.query ? `?${r.query}` : ''}`, {
      method: r.method,
      headers: {
        ...(sender && 'token' in sender ? { token: sender.token } : {}),
        ...(sender && 'key' in sender ? { authorization: `Bearer ${sender.key}` } : {}),
        ...(r.body === undefined
          ? {}
          : {
              'content-type': r.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
            }),
      },
      ...(r.body === undefined ? {} : { body: r.body }),
    })
    return { status: response.status, envelope: envelopeOf(await response.json()) }
  }

  async call<I, O>(call: Call<I, O>, input: I, sender?: Sender, index: 0 | 1 = 0): Promise<O> {
    return decodeResponse(call, (await this.callRaw(call, input, sender, index)).envelope)
  }

  async signIn(loginCode: string = golden.first.owner): Promise<{ token: string }> {
    const { token } = await this.call(login, { loginCode, password })
    return { token }
  }

  /** Runs what every process repeats, now. */
  async runInterval(name: string, index: 0 | 1 = 0): Promise<void> {
    await defined(this.intervals.find(each => each.name === name)).run(this.servers[index].app)
  }

  rows<T extends object>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
    return this.app.database.reader('*').rows<T>(statement)
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      await server.close()
    }
    await this.database.drop()
  }
}

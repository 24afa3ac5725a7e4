import { mkdtempSync } from 'node:fs'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest, type Envelope } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import { addDevice, type Device } from '../contract/device.ts'
import { addDeviceModel, type DeviceModel } from '../contract/device-model.ts'
import { addGateway, createPairingCode, type Gateway } from '../contract/gateway.ts'
import { AgentClient, pairAgent, type AgentIdentity, type AgentOptions } from './fixtures/agent-client.ts'

type Installed = Awaited<ReturnType<typeof loadInstalledModules>>

export interface Clerk {
  readonly token: string
  readonly projectCode: string
}

export interface PairedGateway {
  readonly gateway: Gateway
  readonly identity: AgentIdentity
}

/** What is repeated without regard to the time of day: what has come is written. */
const unclocked: ReadonlySet<string> = new Set(['received-tasks', 'gateway-beats'])

/**
 * The modules without what the clock decides, such as who has been silent: a test turns the clock, and runs
 * what follows from it when it means it (`runIntervals`).
 */
const loadWithoutClockedIntervals = async (): Promise<Installed> =>
  (await loadInstalledModules()).map(installed => ({
    ...installed,
    server: {
      ...installed.server,
      intervals: installed.server.intervals?.filter(({ name }) => unclocked.has(name)) ?? [],
    },
  }))

/** Two server processes, but for the process, on one database; their clock is turned together. */
export class DeviceServers {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly servers: readonly [Server, Server]
  ownerId: Id = 0
  #offsetMs: { ms: number }
  #count = 0

  private constructor(
    database: TestDatabase,
    dataDir: string,
    servers: readonly [Server, Server],
    offset: { ms: number },
  ) {
    this.database = database
    this.dataDir = dataDir
    this.servers = servers
    this.#offsetMs = offset
  }

  static async open(): Promise<DeviceServers> {
    const database = await openTestDatabase()
    const dataDir = mkdtempSync(`${createTestFolder()}/data-`)
    const installed = await loadWithoutClockedIntervals()
    const offset = { ms: 0 }
    const open = (): Promise<Server> =>
      openServer({
        databaseUrl: database.url,
        dataDir,
        installed,
        loadCaller: createCallerLoader,
        version: 'test',
        pool: 6,
        runsJobs: false,
        disableThrottle: true,
        clock: () => Date.now() + offset.ms,
        logging: { logger: process.env.SERVER_LOG ? { level: process.env.SERVER_LOG } : false },
      })
    const servers = [await open(), await open()] as const
    for (const server of servers) {
      await server.http.listen({ port: 0, host: '127.0.0.1' })
    }
    const opened = new DeviceServers(database, dataDir, servers, offset)
    const ownerId = await servers[0].app.database
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

  now(): number {
    return Date.now() + this.#offsetMs.ms
  }

  /** Turns the clock of both processes on. */
  turn(ms: number): void {
    this.#offsetMs.ms += ms
  }

  #request(call: Call, input: unknown, clerk?: Clerk, index: 0 | 1 = 0): Promise<Response> {
    const { token = '', ...sender } = clerk ?? {}
    const r = encodeRequest(call, input, sender)
    return fetch(
      `${this.origin(index)}${r.path.startsWith('/') ? '' : '/api/'}${r.path}${r.query ? `?${r.query}` : ''}`,
      {
        method: r.method,
        headers: {
          token,
          flag: '1',
          ...(r.body === undefined
            ? {}
            : {
                'content-type': r.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
              }),
        },
        ...(r.body === undefined ? {} : { body: r.body }),
      },
    )
  }

  /** Sends a call to one of the processes, as a browser does. */
  async callRaw(call: Call, input: unknown, clerk?: Clerk, index: 0 | 1 = 0): Promise<Envelope> {
    return envelopeOf(await (await this.#request(call, input, clerk, index)).json())
  }

  /** The bytes of a file. */
  async download<I>(call: Call<I, FileResponse>, input: I, clerk: Clerk): Promise<Buffer> {
    const response = await this.#request(call, input, clerk)
    return Buffer.from(await response.arrayBuffer())
  }

  /** The cells of an exported sheet below its heading. */
  async exportedCells<I>(call: Call<I, FileResponse>, input: I, clerk: Clerk): Promise<string[][]> {
    const { lines } = await readWorkbook(await this.download(call, input, clerk))
    return lines.map(line => line.cells.map(cellToText))
  }

  async call<I, O>(call: Call<I, O>, input: I, clerk?: Clerk, index: 0 | 1 = 0): Promise<O> {
    return decodeResponse(call, await this.callRaw(call, input, clerk, index))
  }

  async signIn(loginCode: string = golden.first.owner, projectCode = 'GOLD0001'): Promise<Clerk> {
    const { token } = await this.call(login, { loginCode, password })
    return { token, projectCode }
  }

  async addGateway(clerk: Clerk): Promise<Gateway> {
    const name = `网关${++this.#count}`
    return this.call(addGateway, { projectCode: clerk.projectCode, name }, clerk)
  }

  async pairedGateway(clerk: Clerk): Promise<PairedGateway> {
    const gateway = await this.addGateway(clerk)
    const { code } = await this.call(createPairingCode, { id: gateway.id }, clerk)
    const { identity, answer } = await pairAgent(this.origin(), code)
    if (!answer.ok) throw new Error(answer.message)
    return { gateway, identity }
  }

  connect(identity: AgentIdentity, index: 0 | 1 = 0, options: AgentOptions = {}): Promise<AgentClient> {
    return AgentClient.connect(this.origin(index), identity, { clock: () => this.now(), ...options })
  }

  async addModel(clerk: Clerk, driver = 'simulator'): Promise<DeviceModel> {
    const name = `型号${++this.#count}`
    return this.call(
      addDeviceModel,
      { name, systemType: 'security', devType: 'controller', driver, state: 'on' },
      clerk,
    )
  }

  async addDevice(clerk: Clerk, gateway: Gateway, model: DeviceModel): Promise<Device> {
    const name = `设备${++this.#count}`
    const { projectCode } = clerk
    return this.call(
      addDevice,
      { projectCode, name, gatewayId: gateway.id, modelId: model.id, state: 'normal' },
      clerk,
    )
  }

  /** Runs what every process repeats, now. */
  async runIntervals(index: 0 | 1, ...names: readonly string[]): Promise<void> {
    const { server } = defined(
      (await loadInstalledModules()).find(module => module.manifest.name === 'devices'),
    )
    for (const interval of server.intervals ?? []) {
      if (names.includes(interval.name)) {
        await interval.run(this.servers[index].app)
      }
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      await server.close()
    }
    await this.database.drop()
  }
}

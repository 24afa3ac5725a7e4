import { setTimeout as pause } from 'node:timers/promises'
import { numberOf } from '#kit/contract/fixtures.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { defined } from '#kit/domain/defined.ts'
import { openDatabase, sql } from '#kit/server/db.ts'
import { AgentClient } from '#modules/devices/server/fixtures/agent-client.ts'
import { heartbeatMs } from '#modules/devices/contract/agent-protocol.ts'
import { BenchServer } from './bench-server.ts'
import { atMost, atMostLimit, percentile, type BenchContext, type BenchRow } from './bench.ts'
import { seedSites, type BenchSites } from './device-data.ts'

export const name = 'devices'

const gatewayCount = 1000
const devicesPerGateway = 20
const eventsPerSecond = 200
const commandCount = 300
const commandEveryMs = 100
const connectBatch = 50

const beatOf = (site: BenchSites['gateways'][number]) => site.deviceIds.map(id => ({ id, isOnline: true }))

async function connectAll(origin: string, sites: BenchSites): Promise<AgentClient[]> {
  const agents: AgentClient[] = []
  for (let from = 0; from < sites.gateways.length; from += connectBatch) {
    const batch = sites.gateways.slice(from, from + connectBatch).map(async site => {
      const agent = await AgentClient.connect(origin, site.identity, {
        clock: () => Date.now(),
        onCommand: ({ taskId }) => ({ taskId, outcome: 'done', data: { ok: true } }),
      })
      await agent.beatHeard(beatOf(site))
      return agent
    })
    agents.push(...(await Promise.all(batch)))
  }
  return agents
}

/** Beats of all agents over their interval, and events of one after the other. Returns a stop function. */
function startLoad(agents: readonly AgentClient[], sites: BenchSites): () => number {
  let beats = 0
  let events = 0
  const seqs = agents.map(() => 0)
  const beatTimer = setInterval(() => {
    const i = beats++ % agents.length
    defined(agents[i]).beat(beatOf(defined(sites.gateways[i])))
  }, heartbeatMs / agents.length)
  const eventTimer = setInterval(() => {
    for (let n = 0; n < eventsPerSecond / 50; n++) {
      const i = events++ % agents.length
      const seq = defined(seqs[i]) + 1
      seqs[i] = seq
      const deviceId = defined(sites.gateways[i]?.deviceIds[0])
      defined(agents[i]).events([{ type: 'swipe', deviceId, data: { card: String(seq) } }], seq)
    }
  }, 20)
  return () => {
    clearInterval(beatTimer)
    clearInterval(eventTimer)
    return events
  }
}

/** Echoes on the agents' own connections, while the load lasts. */
async function timeEchoes(agents: readonly AgentClient[], count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    await defined(agents[(i * 7) % agents.length]).beatHeard()
    times.push(performance.now() - startedAt)
    await pause(commandEveryMs)
  }
  return times
}

const timesOf = (value: unknown): number[] => {
  if (!Array.isArray(value)) throw new Error(JSON.stringify(value))
  return value.map(numberOf)
}

const readTimes = (value: unknown): { readonly commands: number[]; readonly commits: number[] } => {
  if (!isObject(value)) throw new Error(JSON.stringify(value))
  return { commands: timesOf(value.commands), commits: timesOf(value.commits) }
}

/** 1,000 agents with 20,000 devices on one server, their beats and 200 events a second. */
export async function run({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const store = openDatabase(url, { pool: 2 })
  const sites = await seedSites(store, gatewayCount, devicesPerGateway)
  // As the database does by itself a minute after so many rows have come.
  for (const table of ['gateway', 'gateway_key', 'device']) {
    await store.tx('*', tx => tx.execute(sql`analyze ${sql.id(table)}`))
  }
  await store.tx('*', tx =>
    tx.execute(sql`create table bench_commit (owner_id bigint, id bigint primary key, state smallint)`),
  )
  const server = await BenchServer.start(url, folder())
  try {
    const before = numberOf(await server.request('memory'))
    const agents = await connectAll(`http://127.0.0.1:${server.port}`, sites)
    await pause(heartbeatMs / 2)
    const perAgent = (numberOf(await server.request('memory')) - before) / agents.length
    const endLoad = startLoad(agents, sites)
    await pause(5000)
    const devices = sites.gateways.map(site => defined(site.deviceIds[0]))
    const [echoes, { commands, commits }] = await Promise.all([
      timeEchoes(agents, commandCount),
      server
        .request(`commands ${commandCount} ${commandEveryMs} ${sites.ownerId} ${devices.join(' ')}`)
        .then(readTimes),
    ])
    const sent = endLoad()
    await pause(3000)
    const [stored] = await store.reader(sites.ownerId).rows<{ n: number }>(
      sql`
        select count(*)::integer as n
        from device_event
        where owner_id = ${sites.ownerId}
          and type = 'swipe'
      `,
    )
    const median = (times: readonly number[]): string => percentile(times, 0.5).toFixed(1)
    log(`p50：指令 ${median(commands)} ms，回声 ${median(echoes)} ms，两次提交 ${median(commits)} ms`)
    log(`p95：回声 ${percentile(echoes, 0.95).toFixed(1)} ms`)
    agents.forEach(agent => agent.close())
    return [
      // A command is stored before it is sent, and its result before anybody hears of it (RMT-1).
      atMost(2, {
        label: 'p95 指令 / 一次回声加两次提交',
        ours: percentile(commands, 0.95),
        raw: percentile(echoes, 0.95) + percentile(commits, 0.95),
        unit: 'ms',
      }),
      atMostLimit(60, { label: '每个网关的内存', ours: perAgent / 1024, raw: 60, unit: 'kB' }),
      atMost(1, { label: '事件：发出 / 存下', ours: sent, raw: defined(stored).n, unit: '条' }),
    ]
  } finally {
    await server.stop()
    await store.close()
  }
}

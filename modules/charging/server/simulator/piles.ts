import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Id } from '#kit/domain/id.ts'
import { hashKey } from '../ocpp/hub-key.ts'
import { SimulatedPile } from './pile.ts'

/** A car charges at seven kilowatts. */
const watts = 7000

const tickSeconds = 1

/** A minute of charging in a second. */
export const demoPileSpeed = 60

interface PileRow {
  readonly owner_id: Id
  readonly id: Id
  readonly hub_no: string
  readonly port_count: number
}

/** What demos register their piles with. */
export const simulatedModel = 'Simulator'

export interface RunningPiles {
  readonly piles: readonly SimulatedPile[]
  close(): Promise<void>
}

interface KeyedPile extends PileRow {
  readonly key: string
}

/** Gives the piles of demos new keys; people's own piles are left alone. */
async function keyPiles(databaseUrl: string, speed: number): Promise<KeyedPile[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.owner_id', '*', false)`)
    const { rows } = await client.query<PileRow>(
      `select owner_id, id, hub_no, port_count
       from charger_hub
       where delete_tag = 0 and state = 10 and model = $1
       order by owner_id, id`,
      [simulatedModel],
    )
    const keyed = rows.map(row => ({ ...row, key: randomBytes(15).toString('base64url') }))
    for (const row of keyed) {
      await client.query(
        `update charger_hub set run_key_hash = $1, max_kw = $4 where owner_id = $2 and id = $3`,
        [
          hashKey(row.key),
          row.owner_id,
          row.id,
          // Of an hour in a minute: readings are judged by the clock.
          Math.min(2000, Math.ceil((watts * speed * 2) / 1000)),
        ],
      )
    }
    return keyed
  } finally {
    await client.end()
  }
}

/**
 * Simulated piles for the demo's own: they connect, charge faster than life, come back when their line is
 * lost.
 */
export async function startPiles(options: {
  readonly databaseUrl: string
  readonly address: string
  readonly speed: number
  readonly log?: (line: string) => void
}): Promise<RunningPiles> {
  const rows = await keyPiles(options.databaseUrl, options.speed)
  const piles = rows.map(
    row =>
      new SimulatedPile({
        url: `${options.address.replace(/^http/, 'ws')}/api/ocpp/${row.owner_id}/${row.hub_no}`,
        hubNo: row.hub_no,
        key: row.key,
        ports: row.port_count,
        watts,
        speed: options.speed,
        ...(options.log ? { log: options.log } : {}),
      }),
  )
  const connectAll = (): Promise<unknown> =>
    Promise.all(piles.filter(pile => !pile.isConnected && !pile.isStopped).map(pile => pile.connect()))
  await connectAll()
  const ticking = setInterval(() => {
    piles.forEach(pile => pile.tick(tickSeconds))
  }, tickSeconds * 1000).unref()
  const connecting = setInterval(() => void connectAll(), 5000).unref()
  return {
    piles,
    close: async () => {
      clearInterval(ticking)
      clearInterval(connecting)
      piles.forEach(pile => pile.stop())
    },
  }
}

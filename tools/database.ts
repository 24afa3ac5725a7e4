import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { findCluster, openCluster } from '#kit/server/ground/cluster.ts'
import { Obstacle } from '#kit/server/ground/obstacle.ts'
import { root } from './tree.ts'

export interface Reached {
  url: string
  /** resolves with a reason when our own server ends by itself */
  lost: Promise<string>
  close(): Promise<void>
}

const NEVER = new Promise<string>(() => {})

/** DATABASE_URL's database, or our own on the data folder. */
export async function ownOrGiven(dataDir: string): Promise<Reached> {
  const given = process.env.DATABASE_URL
  return given ? { url: given, lost: NEVER, close: async () => {} } : await openCluster({ dataDir })
}

/** The same beside a running server: connects to its cluster, or starts a stopped one for the while. */
export async function besideServer(dataDir: string, { make }: { make: boolean }): Promise<Reached> {
  const given = process.env.DATABASE_URL
  const url = given || findCluster(dataDir)?.url
  if (url) return { url, lost: NEVER, close: async () => {} }
  if (!make && !existsSync(join(dataDir, 'postgres'))) {
    throw new Obstacle(`数据目录 ${dataDir} 里没有数据库。请用 --data 指定数据目录，或设置 DATABASE_URL。`)
  }
  return await openCluster({ dataDir })
}

interface Demo {
  fillDemo(url: string, dataDir?: string): Promise<void>
  hasDemo?(url: string): Promise<boolean>
}

// A company's table is called property.
async function hasCompany(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const table = await client.query(`select to_regclass('property') is not null as there, set_config('app.owner_id', '*', false)`)
    if (!table.rows[0].there) return false
    return (await client.query('select exists (select from property) as some')).rows[0].some as boolean
  } finally {
    await client.end()
  }
}

/** Fills a database that has no company with the demo, once. True when the demo's accounts are there. */
export async function demoIn(url: string, { fill, dataDir }: { fill: boolean; dataDir?: string }): Promise<boolean> {
  const file = join(root, 'db/golden/demo.ts')
  if (!existsSync(file)) return false
  const demo = (await import(pathToFileURL(file).href)) as Demo
  if (fill && !(await hasCompany(url))) {
    await demo.fillDemo(url, dataDir)
    return true
  }
  return (await demo.hasDemo?.(url)) ?? false
}

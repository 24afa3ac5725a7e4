import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { call, everyone, type Call } from '#kit/contract/call.ts'
import { noData } from '#kit/contract/shape.ts'
import { menus, defineModule } from '#kit/contract/module.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { reads } from '#kit/server/handler.ts'
import { openServer } from '#kit/server/server.ts'
import { createCallerLoader, createCompany } from '#modules/accounts/server/public.ts'
import { menu } from '#modules/accounts/module.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { seedRoles } from '#db/golden/roles.ts'
import { atMost, type BenchContext, type BenchRow } from './bench.ts'

export const name = 'permission'

const requestsPerRound = 15_000
const warmUp = 2000

const emptyCall = (path: string, needs: Call['needs']): Call =>
  call({ route: `GET ${path}`, title: '空接口', needs, input: noData, output: noData })

const medianOf = (all: readonly number[]): number => defined(all.toSorted((a, b) => a - b)[all.length >> 1])

const openCall = emptyCall('Bench/Open', everyone)
const guardedCall = emptyCall('Bench/Guarded', menu.log.permissions.view)
const idle = (): Promise<void> => Promise.resolve()

/** A module of two calls that do nothing: anyone may send the one, the other needs a permission. */
const benchModule = {
  manifest: defineModule({ name: 'bench', label: '基准', menus: menus('bench', {}), screens: [] }),
  contract: { calls: [openCall, guardedCall], entities: [], choices: [] },
  server: { handlers: [reads(openCall, idle), reads(guardedCall, idle)] },
}

/** A company with its roles; signs its manager in. */
async function signManagerIn({ database, sessions }: App): Promise<string> {
  const { ownerId } = await database.tx('*', tx =>
    createCompany(tx, {
      companyName: '基准物业',
      loginCode: 'bench',
      password: 'Anju2026',
      realName: '基准',
    }),
  )
  await seedRoles(database, ownerId, r => `bench-${r.key}`, {})
  const { id } = defined(
    await database
      .reader(ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = 'bench-manager'`),
  )
  return sessions.create(ownerId, id, { ip: '10.0.0.1', agent: 'bench' })
}

/**
 * What asking for a right adds to a call that does nothing, from the request to the answer without the socket
 * (which would hide it further). The caller is a project manager with well over a hundred rights.
 */
export async function run({ database, folder }: BenchContext): Promise<BenchRow[]> {
  const server = await openServer({
    databaseUrl: await database(),
    dataDir: folder(),
    installed: [...(await loadInstalledModules()), benchModule],
    loadCaller: createCallerLoader,
    version: 'bench',
    pool: 2,
    runsJobs: false,
    disableThrottle: true,
  })
  try {
    const token = await signManagerIn(server.app)
    const request = async (path: string): Promise<void> => {
      const r = await server.http.inject({ method: 'GET', url: `/api/${path}`, headers: { token } })
      if (r.statusCode !== 200 || r.json<{ Code: number }>().Code !== resultCode.ok) throw new Error(r.body)
    }
    const took = async (path: string): Promise<number> => {
      const from = performance.now()
      await request(path)
      return (performance.now() - from) * 1000
    }
    const ours: number[] = []
    const raw: number[] = []
    // One by one, turn about: both meet the same moment, and what a neighbour on the machine takes falls on
    // both.
    for (let i = -warmUp; i < requestsPerRound; i++) {
      const first = i % 2 ? 'Bench/Guarded' : 'Bench/Open'
      const x = await took(first)
      const y = await took(first === 'Bench/Open' ? 'Bench/Guarded' : 'Bench/Open')
      if (i >= 0) {
        ours.push(i % 2 ? x : y)
        raw.push(i % 2 ? y : x)
      }
    }
    return [
      atMost(1.05, {
        label: '空接口带权限检查（对不带）',
        ours: medianOf(ours),
        raw: medianOf(raw),
        unit: 'µs',
      }),
    ]
  } finally {
    await server.close()
  }
}

import { call, everyone, type Call } from '#kit/contract/call.ts'
import { nothing } from '#kit/contract/shape.ts'
import { menus, nameplate } from '#kit/contract/module.ts'
import { code } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { openServer } from '#kit/server/server.ts'
import { callerOf, createCompany } from '#modules/accounts/server/public.ts'
import { menu } from '#modules/accounts/module.ts'
import { modules } from '#modules/index.ts'
import { installed } from '#apps/server/modules.ts'
import { layRoles } from '../db/golden/roles.ts'
import { atMost, type Context, type Row } from './bench.ts'

export const name = 'permission'

const each = 15_000
const warmUp = 2000

const empty = (path: string, needs: Call['needs']): Call =>
  call({ at: `GET ${path}`, title: '空接口', needs, input: nothing, output: nothing })

const middle = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1]!

/**
 * What asking for a right adds to a call that does nothing, from the request to the answer without the socket
 * (which would hide it further). The caller is a project manager with well over a hundred rights.
 */
export async function run({ database, folder }: Context): Promise<Row[]> {
  const open = empty('Bench/Open', everyone)
  const guarded = empty('Bench/Guarded', menu.log.may.view)
  const idle = (): Promise<void> => Promise.resolve()
  const bench = {
    plate: nameplate({ name: 'bench', label: '基准', menus: menus('bench', {}), screens: [] }),
    contract: { calls: [open, guarded], entities: [], choices: [] },
    server: { handlers: [reads(open, idle), reads(guarded, idle)] },
  }
  const server = await openServer({
    databaseUrl: await database(),
    dataDir: folder(),
    installed: [...(await installed()), bench],
    callerOf,
    version: 'bench',
    pool: 2,
    works: false,
    unbraked: true,
  })
  try {
    const { store, sessions } = server.world
    const { ownerId } = await store.tx('*', tx =>
      createCompany(tx, {
        companyName: '基准物业',
        loginCode: 'bench',
        password: 'Anju2026',
        realName: '基准',
      }),
    )
    await layRoles(store, ownerId, modules, r => `bench-${r.key}`, {})
    const { id } = (await store
      .reader(ownerId)
      .one<{ id: number }>(sql`select id from manager where login_code = 'bench-manager'`))!
    const token = await sessions.open(ownerId, id, { ip: '10.0.0.1', agent: 'bench' })
    const ask = async (path: string): Promise<void> => {
      const r = await server.app.inject({ method: 'GET', url: `/api/${path}`, headers: { token } })
      if (r.statusCode !== 200 || (r.json() as { Code: number }).Code !== code.fine) throw new Error(r.body)
    }
    const took = async (path: string): Promise<number> => {
      const from = performance.now()
      await ask(path)
      return (performance.now() - from) * 1000
    }
    const ours: number[] = []
    const raw: number[] = []
    // One by one, turn about: both meet the same moment, and what a neighbour on the machine takes falls on
    // both.
    for (let i = -warmUp; i < each; i++) {
      const first = i % 2 ? 'Bench/Guarded' : 'Bench/Open'
      const x = await took(first)
      const y = await took(first === 'Bench/Open' ? 'Bench/Guarded' : 'Bench/Open')
      if (i >= 0) {
        ours.push(i % 2 ? x : y)
        raw.push(i % 2 ? y : x)
      }
    }
    return [
      atMost(1.05, { what: '空接口带权限检查（对不带）', ours: middle(ours), raw: middle(raw), unit: 'µs' }),
    ]
  } finally {
    await server.close()
  }
}

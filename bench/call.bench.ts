import { numberOf, objectOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createProbeTables } from '#kit/server/fixtures/probe.ts'
import { openDatabase } from '#kit/server/db.ts'
import { atLeast, type BenchContext, type BenchRow } from './bench.ts'

export const name = 'call'

interface RunningServer {
  child: ChildProcess
  port: number
  token: string
}

const requestPath =
  '/api/Probe/Idle?ID=&PageIndex=&PageSize=&OwnerID=1&OperaterID=1&ProjectCode=P1&uuid=0b7f6a52-8d0e-4c55-9a7e-6c1d2f3a4b5c&data.Name=%E7%8E%8B%E4%BA%94&data.Price=12.50&data.Count=3'

/**
 * A call that does nothing (signed in, permission checked, wire read and written) against the same answer
 * from a bare route, in requests per second, turn about, so that a busy machine slows both. Requests are
 * pipelined: a client that sleeps between answers must be woken for each, which costs as much as the answer
 * and more the slower the server, and would be measured instead of it.
 */
export async function run({ database, folder }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const store = openDatabase(url, { pool: 2 })
  await createProbeTables(store)
  await store.close()
  const start = async (which: string): Promise<RunningServer> => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'call-server.ts'), which, url, folder()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [line] = await once(child.stdout, 'data')
    const { port, token } = objectOf(JSON.parse(String(line)))
    return { child, port: numberOf(port), token: textOf(token) }
  }
  const rate = async ({ port, token }: RunningServer): Promise<number> => {
    const r = await autocannon({
      url: `http://127.0.0.1:${port}${requestPath}`,
      connections: 50,
      pipelining: 8,
      duration: 3,
      headers: { token },
    })
    if (r.non2xx || r.errors) throw new Error(`${r.non2xx} answers of another status, ${r.errors} errors`)
    return r.requests.average
  }
  const [ours, bare] = [await start('ours'), await start('bare')]
  try {
    const body = async (s: RunningServer): Promise<string> =>
      (await fetch(`http://127.0.0.1:${s.port}${requestPath}`, { headers: { token: s.token } })).text()
    if ((await body(ours)) !== (await body(bare))) throw new Error('the two do not answer the same')
    const pairs: { ours: number; bare: number }[] = []
    await rate(ours)
    await rate(bare)
    for (let i = 0; i < 5; i++) {
      pairs.push({ ours: await rate(ours), bare: await rate(bare) })
    }
    const middle = defined(pairs.toSorted((a, b) => a.ours / a.bare - b.ours / b.bare)[2])
    return [
      atLeast(0.75, { label: '空调用：登录、权限、收发', ours: middle.ours, raw: middle.bare, unit: '次/s' }),
    ]
  } finally {
    for (const s of [ours, bare]) {
      s.child.kill('SIGTERM')
      if (s.child.exitCode === null) {
        await once(s.child, 'exit')
      }
    }
  }
}

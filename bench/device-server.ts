// One server process with all modules, for the bench of agents: `node --expose-gc device-server.ts URL
// DATADIR`. Prints its port; then each line of its input is a request: `memory`, or `commands COUNT EVERY
// OWNER DEVICE…`.
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { openServer } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { sendDeviceCommand, waitForCommand } from '#modules/devices/server/public.ts'
import { code } from '#kit/server/sql.ts'
import { taskState } from '#modules/devices/contract/choices.ts'

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)

const server = await openServer({
  databaseUrl,
  dataDir,
  installed: await loadInstalledModules(),
  loadCaller: createCallerLoader,
  version: 'bench',
  disableThrottle: true,
  runsJobs: false,
  logging: { logger: { level: 'info', file: '/dev/null' } },
})
await server.http.listen({ port: 0, host: '127.0.0.1' })

const answer = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Bytes that live after a collection, those outside the heap included. */
function measureMemory(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Milliseconds from a module's call to the stored result. */
async function timeCommand(ownerId: Id, deviceId: Id): Promise<number> {
  const { app } = server
  const startedAt = performance.now()
  const taskId = await app.database.tx(ownerId, tx =>
    sendDeviceCommand(tx, clockScope(app, ownerId), { deviceId, input: { action: 'status' } }),
  )
  const { state } = await waitForCommand(app, ownerId, taskId, 30_000)
  if (state !== 'done') throw new Error(`command ${taskId} is ${state}`)
  return performance.now() - startedAt
}

/** The raw limit: one row of the bench's `bench_commit` stored, then changed, each with its own commit. */
async function timeCommits(ownerId: Id, id: number): Promise<number> {
  const { database } = server.app
  const startedAt = performance.now()
  await database.tx(ownerId, tx =>
    tx.execute(sql`insert into bench_commit (owner_id, id, state) values (${ownerId}, ${id}, 10)`),
  )
  await database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bench_commit
        set state = ${code(taskState, 'done')}
        where owner_id = ${ownerId} and id = ${id}
      `,
    ),
  )
  return performance.now() - startedAt
}

/** Commands, and beside each of them what its two commits cost at that moment. */
async function timeCommands(count: number, everyMs: number, ownerId: Id, devices: readonly Id[]) {
  const commands: Promise<number>[] = []
  const commits: Promise<number>[] = []
  for (let i = 0; i < count; i++) {
    commands.push(timeCommand(ownerId, defined(devices[i % devices.length])))
    await pause(everyMs / 2)
    commits.push(timeCommits(ownerId, i + 1))
    await pause(everyMs / 2)
  }
  return { commands: await Promise.all(commands), commits: await Promise.all(commits) }
}

createInterface({ input: process.stdin }).on('line', line => {
  const [request, ...rest] = line.split(' ')
  if (request === 'memory') {
    answer(measureMemory())
  } else {
    const [count = '0', everyMs = '0', ownerId = '0', ...devices] = rest
    timeCommands(Number(count), Number(everyMs), parseId(ownerId), devices.map(parseId)).then(answer, err => {
      answer({ error: String(err) })
    })
  }
})

answer(portOf(server.http.server))
process.once('SIGTERM', () => process.exit(0))

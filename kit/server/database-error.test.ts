import { connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { errorCode, isDatabaseUnavailable } from './database-error.ts'
import { openDatabase, sql } from './db.ts'
import { portOf } from './fixtures/port.ts'
import { openTestDatabase } from './fixtures/test-database.ts'

const serverError = (code: string, message: string): object => ({ severity: 'ERROR', code, message })

// The errors of Citus 13.2 for a payment while a worker was killed; its codes say little.
it('a node that died under a statement is a database that is away, not a defect', () => {
  for (const error of [
    serverError('58030', 'failed to COPY to shard 102635 on 127.0.0.1:9701'),
    serverError('XX000', 'failed to complete COPY on 127.0.0.1:9701'),
    serverError('XX000', 'failed to read result "3_7_1" from node 127.0.0.1:9701'),
    serverError('XX000', 'failed to send 38 bytes on node 9701'),
    serverError('XX000', 'could not connect to any active placements'),
    serverError('XX000', 'connection not open'),
    // A node's last words, handed on without their code.
    serverError('XX000', 'terminating connection due to unexpected postmaster exit'),
    serverError('XX000', 'the database system is starting up'),
    serverError('08006', 'connection to the remote node anju@127.0.0.1:9701 failed'),
    serverError('XX000', 'server closed the connection unexpectedly'),
    serverError('57P01', 'terminating connection due to administrator command'),
  ]) {
    expect(isDatabaseUnavailable(error), JSON.stringify(error)).toBe(true)
  }
})

it('a refusal of the database is none', () => {
  for (const error of [
    serverError('23505', 'duplicate key value violates unique constraint "room_no_live"'),
    serverError('53100', 'could not extend file: No space left on device'),
    serverError('58030', 'could not read block 7 in file'),
    serverError('XX000', 'the query contains a join that requires repartitioning'),
    new Error('a defect'),
  ]) {
    expect(isDatabaseUnavailable(error), JSON.stringify(error)).toBe(false)
  }
})

it('a connection that is refused or reset is a database that is away where it was the database’s, not another’s', async () => {
  const database = openDatabase('postgres://anju@127.0.0.1:1/none', { pool: 1 })
  const own: unknown = await database.tx('*', async () => {}).catch((error: unknown) => error)
  await database.close()
  expect([errorCode(own), isDatabaseUnavailable(own)]).toEqual(['ECONNREFUSED', true])
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']) {
    expect(isDatabaseUnavailable(Object.assign(new Error(`connect ${code}`), { code })), code).toBe(false)
  }
})

it('a connection that is reset under a statement is a database that is away', async () => {
  const test = await openTestDatabase()
  const url = new URL(test.url)
  const sockets: Socket[] = []
  const proxy = createServer(socket => {
    const onward = connect(Number(url.port), url.hostname)
    sockets.push(socket)
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => {})
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  url.port = String(portOf(proxy))
  const database = openDatabase(url.href, { pool: 1 })
  const asked = database.reader('*').rows(sql`select pg_sleep(20)`)
  const failure = asked.catch((error: unknown) => error)
  setTimeout(() => sockets.forEach(socket => socket.resetAndDestroy()), 500)
  expect(isDatabaseUnavailable(await failure)).toBe(true)
  await database.close()
  proxy.close()
  await test.drop()
})

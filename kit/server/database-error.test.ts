import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from './database-error.ts'

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

import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

export type Tuning = 'store' | 'test'

const MB = 2 ** 20

function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

function memoryShare(part: number, min: number, max: number): string {
  return `${Math.round(Math.min(max, Math.max(min, availableMemory() / part / MB)))}MB`
}

/** Free bytes of the file system that holds the folder; 0 when there is none. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

const COMMON_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'Asia/Shanghai',
  log_timezone: 'Asia/Shanghai',
  // Above 'error': what a client gets wrong (a duplicate key) is reported to that client, not written here.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  jit: 'off',
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
}

/** Server settings: 'store' keeps every commit through a power cut, 'test' forgets durability for speed. */
export function postgresSettings(tuning: Tuning): Record<string, string> {
  // Containers often have 64 MB here: too little for parallel queries.
  const shm: Record<string, string> =
    process.platform === 'linux' && freeBytes('/dev/shm') < 256 * MB
      ? { dynamic_shared_memory_type: 'sysv' }
      : {}
  if (tuning === 'test') {
    return {
      ...COMMON_SETTINGS,
      ...shm,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '1GB',
      shared_buffers: memoryShare(64, 64, 256),
      // The databases of all test files that run beside each other are in one cluster.
      max_connections: '300',
      autovacuum_naptime: '1d',
    }
  }
  return {
    ...COMMON_SETTINGS,
    ...shm,
    shared_buffers: memoryShare(8, 64, 4096),
    effective_cache_size: memoryShare(2, 256, 65536),
    work_mem: memoryShare(384, 4, 64),
    maintenance_work_mem: memoryShare(24, 64, 1024),
    wal_buffers: '16MB',
    max_wal_size: '4GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    max_connections: '200',
    idle_in_transaction_session_timeout: '10min',
  }
}

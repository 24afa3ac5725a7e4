import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openCluster } from '#kit/server/postgres/cluster.ts'
import { migrate, readMigrations, MIGRATIONS } from '#kit/server/postgres/migrate.ts'
import { root } from './source-files.ts'

const OUT = join(root, 'dist/database')

/** What decides the content of an empty database: PostgreSQL, how a cluster is made, the migrations. */
const SOURCES = [
  'package.json',
  'kit/server/postgres/cluster-creation.ts',
  'kit/server/postgres/leakproof.ts',
]

/** The folder of an empty database of these very sources; it is there once that was built. */
export function builtDatabase(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`)
  for (const file of SOURCES) {
    hash.update(readFileSync(join(root, file))).update('\0')
  }
  for (const { name, checksum } of readMigrations(MIGRATIONS)) {
    hash.update(`${name} ${checksum}\0`)
  }
  return join(OUT, hash.digest('hex').slice(0, 32))
}

/**
 * Builds an empty database, migrated and stopped: a first start copies it instead of making one and running
 * every migration. It is nothing but what those make, and the copy gets passwords of its own.
 */
export async function buildDatabase(): Promise<'built' | 'fresh'> {
  const target = builtDatabase()
  if (existsSync(target)) return 'fresh'
  const draft = `${OUT}.${process.pid}`
  try {
    const cluster = await openCluster({ dataDir: draft })
    try {
      await migrate(cluster.url)
    } finally {
      await cluster.close()
    }
    rmSync(join(draft, 'postgres/anju.json'))
    mkdirSync(OUT, { recursive: true })
    for (const outdated of readdirSync(OUT)) {
      rmSync(join(OUT, outdated), { recursive: true, force: true })
    }
    renameSync(join(draft, 'postgres'), target)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return 'built'
}

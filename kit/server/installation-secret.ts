import { randomBytes } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Database } from './db.ts'

const randomSecret = (): string => randomBytes(32).toString('base64url')

/**
 * A secret shared by all server processes of an installation, created on first use. It is asked for within
 * transactions too: with a second connection of the pool each of them would wait for the others to end.
 */
export async function loadInstallationSecret(
  database: Database,
  name: string,
  create = randomSecret,
): Promise<string> {
  await database.apart(
    '*',
    sql`
      insert into installation (key, value)
      values (${name}, ${create()})
      on conflict (key) do nothing
    `,
  )
  const [row] = await database.apart(
    '*',
    sql<{ value: string }>`select value from installation where key = ${name}`,
  )
  return defined(row).value
}

const secrets = new WeakMap<Database, Map<string, Promise<string>>>()

/** The secret, read once by this process. */
export function installationSecretOf(database: Database, name: string): Promise<string> {
  const known = secrets.get(database) ?? new Map<string, Promise<string>>()
  secrets.set(database, known)
  const secret = known.get(name)
  if (secret) return secret
  const loading = loadInstallationSecret(database, name)
  known.set(name, loading)
  loading.catch(() => known.delete(name))
  return loading
}

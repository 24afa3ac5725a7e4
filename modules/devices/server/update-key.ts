import { createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { App } from '#kit/server/app.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { loadInstallationSecret } from '#kit/server/installation-secret.ts'

const name = 'agent-update-key'
/** Before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The installation's key for packages of the agent, encrypted in the database; made on first use. */
async function loadKey(app: Pick<App, 'database' | 'dataDir'>): Promise<KeyObject> {
  const encryption = await encryptionOf(app)
  const value = await loadInstallationSecret(app.database, name, () =>
    encryption.encrypt(randomBytes(32).toString('base64'), name).toString('base64'),
  )
  const stored = Buffer.from(encryption.decrypt(Buffer.from(value, 'base64'), name), 'base64')
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, stored]), format: 'der', type: 'pkcs8' })
}

const keys = new WeakMap<App['database'], Promise<KeyObject>>()

function keyOf(app: Pick<App, 'database' | 'dataDir'>): Promise<KeyObject> {
  const known = keys.get(app.database)
  if (known) return known
  const loading = loadKey(app)
  keys.set(app.database, loading)
  loading.catch(() => keys.delete(app.database))
  return loading
}

/** DER (SPKI), base64: what an agent learns at pairing. */
export const updatePublicKey = async (app: Pick<App, 'database' | 'dataDir'>): Promise<string> =>
  createPublicKey(await keyOf(app))
    .export({ format: 'der', type: 'spki' })
    .toString('base64')

/** Base64. */
export const signWithUpdateKey = async (
  app: Pick<App, 'database' | 'dataDir'>,
  text: string,
): Promise<string> => sign(null, Buffer.from(text), await keyOf(app)).toString('base64')

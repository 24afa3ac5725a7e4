import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { newWebhookSecret } from './webhook-signature.ts'

/** How long the secret before the new one signs as well. */
export const overlapMs = 24 * 3_600_000

const subjectOf = (ownerId: Id, endpointId: Id): string => `webhook_endpoint/${ownerId}/${endpointId}`

interface StoredSecrets {
  readonly id: Id
  readonly ownerId: Id
  readonly runSecret: Buffer
  readonly runOldSecret?: Buffer
  readonly runOldUntil?: Date | string
}

/** The secrets with which an endpoint's messages are signed now, the newest first. */
export async function secretsOf(app: Pick<App, 'dataDir' | 'clock'>, row: StoredSecrets): Promise<string[]> {
  const encryption = await encryptionOf(app)
  const subject = subjectOf(row.ownerId, row.id)
  const isOldValid =
    row.runOldSecret !== undefined &&
    row.runOldUntil !== undefined &&
    new Date(row.runOldUntil).getTime() > app.clock()
  return [row.runSecret, ...(isOldValid && row.runOldSecret ? [row.runOldSecret] : [])].map(bytes =>
    encryption.decrypt(bytes, subject),
  )
}

/** Gives an endpoint a new secret and returns it; the one before holds for a day more. */
export async function replaceSecret(
  tx: Tx,
  app: Pick<App, 'dataDir' | 'clock'>,
  ownerId: Id,
  id: Id,
): Promise<string> {
  const secret = newWebhookSecret()
  const encryption = await encryptionOf(app)
  await tx.execute(sql`
    update webhook_endpoint
    set run_old_secret = run_secret, run_old_until = ${new Date(app.clock() + overlapMs)},
      run_secret = ${encryption.encrypt(secret, subjectOf(ownerId, id))}
    where owner_id = ${ownerId} and id = ${id}
  `)
  return secret
}

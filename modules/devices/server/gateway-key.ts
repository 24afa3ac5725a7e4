import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { removeEntries } from '#kit/server/directory.ts'
import { challengeText } from '../contract/agent-protocol.ts'

/** The digest by which a key is called. */
export const keyIdOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex')

/** An Ed25519 public key from its DER bytes; nothing where they are none. */
export function readPublicKey(der: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

export function isSignedBy(der: Buffer, nonce: string, signature: string): boolean {
  const key = readPublicKey(der)
  return (
    key !== undefined &&
    verify(null, Buffer.from(challengeText(nonce)), key, Buffer.from(signature, 'base64'))
  )
}

export interface GatewayKey {
  readonly keyId: string
  readonly publicKey: Buffer
  readonly lastSeq: number
}

export const findGatewayKey = (db: Db, ownerId: Id, gatewayId: Id): Promise<GatewayKey | undefined> =>
  db.one(sql`
    select key_id, public_key, last_seq
    from gateway_key
    where owner_id = ${ownerId} and gateway_id = ${gatewayId}
  `)

interface KeyHolder {
  readonly ownerId: Id
  readonly gatewayId: Id
  readonly keyId: string
}

/** Holds in every statement that an agent causes: without its key it changes nothing. */
export const hasKey = ({ ownerId, gatewayId, keyId }: KeyHolder): RawBuilder<unknown> => sql`
  exists (
    select 1
    from gateway_key k
    where k.owner_id = ${ownerId} and k.gateway_id = ${gatewayId} and k.key_id = ${keyId}
  )
`

/** The key and what is known of its events; the agent is a stranger from now on. */
export async function deleteGatewayKey(tx: Tx, ownerId: Id, gatewayId: Id): Promise<void> {
  await tx.execute(sql`delete from gateway_key where owner_id = ${ownerId} and gateway_id = ${gatewayId}`)
  await removeEntries(tx, 'gateway_key', ownerId, [gatewayId])
}

import type { ReadContext } from '#kit/server/handler.ts'
import { findHolders } from '../passage/holders.ts'
import { keyOfCredential } from './credential-source.ts'

interface TypedCredential {
  readonly key: string
  readonly holderName?: string | undefined
}

/** What was typed is a card, or the code of a visitor where no card has that number. */
export async function typedCredential(
  projectCode: string,
  number: string,
  { db, scope, today }: Pick<ReadContext, 'db' | 'scope' | 'today'>,
): Promise<TypedCredential> {
  const [card, code] = [keyOfCredential('card', number), keyOfCredential('qr', number)]
  const holders = await findHolders(db, { ownerId: scope.ownerId, projectCode, today, keys: [card, code] })
  const key = holders.has(code) && !holders.has(card) ? code : card
  return { key, holderName: holders.get(key)?.name }
}

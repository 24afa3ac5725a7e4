import type { ReadContext } from '#kit/server/handler.ts'
import { findHolders } from '../passage/holders.ts'
import { keyOfCredential } from './credential-source.ts'

interface TypedCredential {
  readonly key: string
  readonly holderName?: string | undefined
}

/** What somebody types, the likeliest first. */
const typedKinds = ['card', 'qr', 'pass'] as const

/** What was typed is a card, or the code of a visitor or of a person where no card has that number. */
export async function typedCredential(
  projectCode: string,
  number: string,
  { db, scope, today }: Pick<ReadContext, 'db' | 'scope' | 'today'>,
): Promise<TypedCredential> {
  const keys = typedKinds.map(kind => keyOfCredential(kind, number))
  const holders = await findHolders(db, { ownerId: scope.ownerId, projectCode, today, keys })
  const key = keys.find(each => holders.has(each)) ?? keyOfCredential('card', number)
  return { key, holderName: holders.get(key)?.name }
}

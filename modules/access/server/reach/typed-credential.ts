import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { hasCodeForm } from '#modules/devices/server/public.ts'
import { findHolders, type Holder } from '../passage/holders.ts'
import { findCredentialHolders } from './credential-holders.ts'
import { keyOfCredential } from './credential-source.ts'

/** What is typed or read as a number alone, the likeliest first. */
const numberKinds = ['card', 'qr', 'pass'] as const

/** The number of a card or a code; nothing of what is neither. */
export const numberOfKey = (key: string): string | undefined => /^(?:card|qr|pass):(.+)$/.exec(key)?.[1]

/** The key as it is named, and what else its number may be: readers take a code for the number of a card. */
function possibleKeys(key: string): readonly string[] {
  const number = numberOfKey(key)
  if (!hasCodeForm(number)) return [key]
  return [...new Set([key, ...numberKinds.map(kind => keyOfCredential(kind, defined(number)))])]
}

export interface RecognisedCredential {
  readonly key: string
  readonly holder?: Holder | undefined
}

interface Query {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: Day
}

/**
 * What the numbers of some keys are in a project: card, visitor's code or person's code. Of several, one that
 * is valid counts: a card that was ended may have had the number of a code. What is unknown stays as it is.
 */
export async function recogniseCredentials(
  db: Db,
  query: Query,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RecognisedCredential>> {
  const possible = new Map(keys.map(key => [key, possibleKeys(key)]))
  const holders = await findHolders(db, { ...query, keys: [...new Set([...possible.values()].flat())] })
  const known = new Map(
    [...possible].map(([key, alternatives]) => [key, alternatives.filter(each => holders.has(each))]),
  )
  const ambiguous = [...known.values()].filter(each => each.length > 1).flat()
  const valid = ambiguous.length ? await findCredentialHolders(db, { ...query, keys: ambiguous }) : []
  const validKeys = new Set(valid.map(({ itemKey }) => itemKey))
  return new Map(
    [...known].map(([reported, some]) => {
      const key = some.find(each => validKeys.has(each)) ?? some[0] ?? reported
      return [reported, { key, holder: holders.get(key) }]
    }),
  )
}

interface TypedCredential {
  readonly key: string
  readonly holderName?: string | undefined
}

/** What was typed: a card, or the code of a visitor or of a person. */
export async function typedCredential(
  projectCode: string,
  number: string,
  { db, scope, today }: Pick<ReadContext, 'db' | 'scope' | 'today'>,
): Promise<TypedCredential> {
  const typed = keyOfCredential('card', number)
  const found = await recogniseCredentials(db, { ownerId: scope.ownerId, projectCode, today }, [typed])
  const { key, holder } = defined(found.get(typed))
  return { key, holderName: holder?.name }
}

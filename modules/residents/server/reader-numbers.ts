import type pg from 'pg'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { cardState } from '../contract/labels.ts'

/**
 * What a reader reports is a number, of a card or of a code: a number that is both opens for two, and its
 * record names either.
 */
interface NumberQuery {
  readonly ownerId: Id
  /** The moment until which a code must work to count. */
  readonly time: string
  readonly numbers: readonly string[]
}

/** Which of some numbers are codes that work or may yet: `number`. */
type FindCodes = (db: Db, query: NumberQuery) => Promise<readonly string[]>

const sources: FindCodes[] = []

/** A module names its codes; called once, when it is loaded. */
export const registerReaderCodes = (find: FindCodes): void => void sources.push(find)

export async function findCodesAmong(db: Db, query: NumberQuery): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  if (!query.numbers.length) return found
  for (const find of sources) {
    for (const number of await find(db, query)) {
      found.add(number)
    }
  }
  return found
}

/** Which of some numbers are those of cards that have not ended. */
async function findCardsAmong(db: Db, ownerId: Id, numbers: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ cardNo: string }>(sql`
    select card_no
    from identity_card
    where owner_id = ${ownerId}
      and card_no = any(${[...numbers]}::text[])
      and state <> ${code(cardState, 'ended')}
      and ${notDeleted()}
  `)
  return rows.map(({ cardNo }) => cardNo)
}

/** The numbers of all cards, by the connection of an import. */
export async function readCardNumbers(
  client: Pick<pg.ClientBase, 'query'>,
  ownerId: Id,
): Promise<Set<string>> {
  const { rows } = await client.query<{ number: string }>(
    'select card_no as number from identity_card where owner_id = $1',
    [ownerId],
  )
  return new Set(rows.map(({ number }) => number))
}

interface DrawOptions {
  readonly ownerId: Id
  readonly count: number
  readonly draw: () => string
  /** Which of some the module has given out itself. */
  readonly findUsed?: (drawn: readonly string[]) => Promise<readonly string[]>
}

/** New codes, each another one, that are the number of no card. */
export async function drawCodes(
  db: Db,
  { ownerId, count, draw, findUsed = async () => [] }: DrawOptions,
): Promise<string[]> {
  const found = new Set<string>()
  while (found.size < count) {
    const drawn = Array.from({ length: count - found.size }, draw)
    const taken = new Set([...(await findUsed(drawn)), ...(await findCardsAmong(db, ownerId, drawn))])
    for (const number of drawn) {
      if (!taken.has(number)) {
        found.add(number)
      }
    }
  }
  return [...found]
}

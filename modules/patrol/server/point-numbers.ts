import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { normalizeTagNumber } from '../contract/tag-number.ts'

const numberKeys = ['nfcNo', 'bleNo'] as const
type NumberKey = (typeof numberKeys)[number]

interface Numbered {
  readonly nfcNo?: string | undefined
  readonly bleNo?: string | undefined
}

/** A number as signs are matched by it: two points with the same one would be one for the phone. */
const matchedNumber = (key: NumberKey, number: string | undefined): string | undefined =>
  number === undefined ? undefined : key === 'nfcNo' ? normalizeTagNumber(number) : number.toLowerCase()

interface Holder extends Numbered {
  readonly id: Id
}

/** The points of the company that have one of these numbers, whatever the project. */
export async function loadNumberHolders(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  points: readonly Numbered[],
): Promise<readonly Holder[]> {
  const numbersOf = (key: NumberKey) => points.flatMap(point => matchedNumber(key, point[key]) ?? [])
  const nfcNumbers = numbersOf('nfcNo')
  const bleNumbers = numbersOf('bleNo')
  if (!nfcNumbers.length && !bleNumbers.length) return []
  return db.rows<Holder>(sql`
    select id, nfc_no, ble_no
    from patrol_point
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and (lower(nfc_no) = any(${nfcNumbers}::text[]) or lower(ble_no) = any(${bleNumbers}::text[]))
  `)
}

export const takenTexts: Readonly<Record<NumberKey, string>> = {
  nfcNo: '此 NFC 编号已用于其他点位',
  bleNo: '此蓝牙编号已用于其他点位',
}

/** The numbers of a point that another one of these has. */
export const takenNumbers = <P extends Numbered>(
  point: Numbered,
  others: readonly P[],
): readonly { readonly key: NumberKey; readonly other: P }[] =>
  numberKeys.flatMap(key => {
    const number = matchedNumber(key, point[key])
    const other =
      number === undefined ? undefined : others.find(each => matchedNumber(key, each[key]) === number)
    return other ? [{ key, other }] : []
  })

import { canNamePlaces } from '#kit/domain/address.ts'
import type { Day } from '#kit/domain/day.ts'
import { addDaysToMoment, startOfDay } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { hasCodeForm, isSecretKey, maskNumberOfKey, maskSecret } from '#modules/devices/server/public.ts'
import { cardNumberOf } from '#modules/residents/contract/card.ts'
import { onResidentsMerged } from '#modules/residents/server/public.ts'
import { keyOfCredential } from '../reach/credential-source.ts'
import { exportPassages, listPassages, passages, type Passage } from '../../contract/passage.ts'

const defaultDays = 30

type PassageQuery = NonNullable<typeof listPassages.input.T>

/** Months that are not asked for are not read: no record comes in more than a day before it happens. */
export function passageConditions(
  { recordTimeFrom, personName, cardNo, plateNo }: PassageQuery,
  today: Day,
): readonly RawBuilder<unknown>[] {
  const from = recordTimeFrom ?? addDaysToMoment(startOfDay(today), -defaultDays)
  return [
    sql`t.record_time >= ${from}::timestamptz`,
    sql`t.create_time >= ${addDaysToMoment(from, -1)}::timestamptz`,
    ...(personName === undefined ? [] : [contains(sql`t.person_name`, personName)]),
    ...(cardNo === undefined ? [] : [numberCondition(cardNo)]),
    ...(plateNo === undefined ? [] : [sql`t.plate_no = ${plateNo.toUpperCase()}`]),
  ]
}

type Shown = Pick<Passage, 'itemKey' | 'cardNo' | 'openMethod' | 'personKind'>

/** Also what nobody here is known to have: it may be a code of another project. */
const isCode = ({ itemKey, cardNo, openMethod, personKind }: Shown): boolean =>
  openMethod === 'qr' ||
  isSecretKey(itemKey) ||
  ((personKind === undefined || personKind === 'stranger') &&
    [cardNo, itemKey?.replace(/^card:/, '')].some(hasCodeForm))

/** Codes open for everybody who has them: a record keeps the last digits for the eye. */
const withoutCode = <T extends Shown>(row: T): T =>
  isCode(row)
    ? {
        ...row,
        ...(row.itemKey === undefined ? {} : { itemKey: maskNumberOfKey(row.itemKey) }),
        ...(row.cardNo === undefined ? {} : { cardNo: maskSecret(row.cardNo) }),
      }
    : row

/** The whole of a number: a code too, of whose record the last digits are shown. */
const numberCondition = (number: string): RawBuilder<unknown> => sql`(
  t.card_no in (${number}, ${cardNumberOf(number)})
  or t.item_key = any(${(['card', 'qr', 'pass'] as const).map(kind => keyOfCredential(kind, number))}::text[])
)`

export const passageServer = crudHandlers(passages, {
  filter: (query, { today }) => passageConditions(query, today),
  keyword: (word, { scope: { ownerId } }) => {
    const byPerson = sql`(
      ${contains(sql`t.person_name`, word)}
      or ${numberCondition(word)}
      or t.plate_no = ${word.toUpperCase()}
    )`
    return canNamePlaces(word)
      ? sql`(${byPerson} or t.room_id in (${roomIdsByKeyword(ownerId, word)}))`
      : byPerson
  },
  enrich: async rows =>
    rows
      .map(withoutCode)
      .map(({ mergedKeys, ...row }) => (mergedKeys?.length ? { ...row, repeats: mergedKeys.length } : row)),
  export: exportPassages,
  exportRows: rows => rows.map(withoutCode),
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update access_record
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})

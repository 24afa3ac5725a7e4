import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { assertDayOpen, dayLockKey } from './day-lock.ts'
import { paymentPrefix } from './document-prefixes.ts'
import type { SettleInput } from './settlement.ts'

export interface RecordKey {
  readonly recordId: Id
  readonly recordNo: string
}

/**
 * Draws the id of a record to come, for a caller that has other statements to send with it. Payments that are
 * refused leave a gap.
 */
export const drawRecordId = async (tx: Tx): Promise<Id> =>
  defined(await tx.one<{ id: Id }>(sql`select nextval('pay_record_id_seq') as id`)).id

/**
 * Draws the record's id and number and locks its day, in one round trip, as far as the caller has not.
 * Imported history needs no open day (PAY-22).
 */
export async function drawRecordKey(
  tx: Tx,
  ownerId: Id,
  input: Pick<SettleInput, 'at' | 'isDayOpen' | 'isHistory' | 'projectCode' | 'recordId'>,
): Promise<RecordKey> {
  const day = dayOfMoment(input.at)
  if (input.recordId !== undefined && input.isDayOpen)
    return { recordId: input.recordId, recordNo: await tx.numbers.next(ownerId, paymentPrefix, day) }
  const isDayKnown = input.isHistory || input.isDayOpen
  const dayLock = sql`, pg_advisory_xact_lock_shared(${dayLockKey(ownerId, input.projectCode, day)})`
  const drawn = tx.one<{ id: Id }>(
    sql`select nextval('pay_record_id_seq') as id${isDayKnown ? sql`` : dayLock}`,
  )
  // Sent together and answered in order: the day is looked at once its lock is there.
  const dayCheck = isDayKnown ? undefined : assertDayOpen(tx, ownerId, input.projectCode, day)
  const [row, recordNo] = await Promise.all([drawn, tx.numbers.next(ownerId, paymentPrefix, day), dayCheck])
  return { recordId: defined(row).id, recordNo }
}

import { parseId, type Id } from '#kit/domain/id.ts'
import { minFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { findInvoiceableParts } from '#modules/payments/server/public.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { partKeyOf } from './invoiceable.ts'
import { getSetting } from './setting.ts'
import { findParts } from './invoice-state.ts'

/** REF-7: how much of each part of a blue invoice was refunded to the payer and is still invoiced. */
export async function findRedDue(
  db: Db,
  ownerId: Id,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
): Promise<ReadonlyMap<Id, Fen>> {
  const parts = await findParts(db, ownerId, blue.id)
  const { prestoreMode } = await getSetting(db, ownerId, blue.setId)
  const invoiceable = await findInvoiceableParts(db, ownerId, blue.recordIds.map(parseId), prestoreMode)
  const overByKey = new Map(invoiceable.map(part => [partKeyOf(part), part.over]))
  return new Map(
    parts.map(part => [
      part.id,
      minFen(subtractFen(part.amount, part.redAmount), overByKey.get(partKeyOf(part)) ?? 0),
    ]),
  )
}

export const hasRedDue = async (
  db: Db,
  ownerId: Id,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
): Promise<boolean> => [...(await findRedDue(db, ownerId, blue)).values()].some(amount => amount > 0)

import type { Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { openPartsOf } from '#modules/payments/server/public.ts'
import type { InvoicePart, InvoiceRecord } from '../contract/record.ts'
import { setById } from './set.ts'
import { partsOf } from './step.ts'

/**
 * REF-7: what of each part of a blue invoice went back to the payer and is still on it: more is invoiced
 * there than was kept.
 */
export async function dueOf(
  db: Db,
  owner: number,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
  known?: readonly InvoicePart[],
): Promise<ReadonlyMap<number, Fen>> {
  const parts = known ?? (await partsOf(db, owner, blue.id))
  const { prestoreMode } = await setById(db, owner, blue.setId)
  const open = await openPartsOf(db, owner, blue.recordIds.map(Number), prestoreMode)
  const over = new Map(open.map(p => [`${p.recordId}/${p.detailId ?? ''}`, p.over]))
  return new Map(
    parts.map(p => [
      p.id,
      Math.min(p.amount - p.redAmount, over.get(`${p.recordId}/${p.detailId ?? ''}`) ?? 0),
    ]),
  )
}

export const isDue = async (
  db: Db,
  owner: number,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
): Promise<boolean> => [...(await dueOf(db, owner, blue)).values()].some(n => n > 0)

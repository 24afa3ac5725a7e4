import type { Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { findInvoiceableParts } from '#modules/payments/server/public.ts'
import type { InvoicePart, InvoiceRecord } from '../contract/record.ts'
import { getSetting } from './setting.ts'
import { findParts } from './invoice-state.ts'

/**
 * REF-7: what of each part of a blue invoice went back to the payer and is still on it: more is invoiced
 * there than was kept.
 */
export async function findRedDue(
  db: Db,
  owner: number,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
  known?: readonly InvoicePart[],
): Promise<ReadonlyMap<number, Fen>> {
  const parts = known ?? (await findParts(db, owner, blue.id))
  const { prestoreMode } = await getSetting(db, owner, blue.setId)
  const open = await findInvoiceableParts(db, owner, blue.recordIds.map(Number), prestoreMode)
  const over = new Map(open.map(p => [`${p.recordId}/${p.detailId ?? ''}`, p.over]))
  return new Map(
    parts.map(p => [
      p.id,
      Math.min(p.amount - p.redAmount, over.get(`${p.recordId}/${p.detailId ?? ''}`) ?? 0),
    ]),
  )
}

export const hasRedDue = async (
  db: Db,
  owner: number,
  blue: Pick<InvoiceRecord, 'id' | 'setId' | 'recordIds'>,
): Promise<boolean> => [...(await findRedDue(db, owner, blue)).values()].some(n => n > 0)

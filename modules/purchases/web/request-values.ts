import { isDecimal } from '#kit/domain/decimal.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { PurchaseDetail, savePurchase } from '../contract/purchase.ts'
import { amountOf, totalOf } from '../domain/amounts.ts'

export type Save = NonNullable<typeof savePurchase.input.T>

interface PricedLine {
  readonly quantity?: string | undefined
  readonly price?: string | undefined
}

/** What the lines filled in so far come to. */
export const estimateOf = (lines: readonly PricedLine[] = []): Fen =>
  totalOf(
    lines.flatMap(({ quantity = '', price = '' }) =>
      isDecimal(quantity) && isDecimal(price) ? [{ amount: amountOf(quantity, price) }] : [],
    ),
  )

/** A stored request as a form begins with it. */
export const valuesOf = ({
  id,
  version,
  projectCode,
  title,
  needDate,
  purpose,
  isUrgent,
  urgentReason,
  supplierId,
  lines,
  attachments,
}: PurchaseDetail): Partial<Save> => ({
  id,
  version,
  projectCode,
  title,
  needDate,
  purpose,
  isUrgent,
  urgentReason,
  supplierId,
  attachments,
  lines: lines.map(({ itemName, spec, unit, quantity, price, remark }) => ({
    itemName,
    spec,
    unit,
    quantity,
    price,
    remark,
  })),
})

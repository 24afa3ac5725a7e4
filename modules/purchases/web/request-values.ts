import { isDecimal } from '#kit/domain/decimal.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Purchase, PurchaseDetail, savePurchase } from '../contract/purchase.ts'
import { amountOf, totalOf, wholeAmountOf } from '../domain/amounts.ts'

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

/** What is approved of it: lines ordered already at the price of their orders, the rest as filled in. */
export const wholeOf = (
  lines: readonly PricedLine[] = [],
  row: Pick<Purchase, 'lines' | 'orderedAmount'> | undefined,
): Fen =>
  wholeAmountOf({
    totalAmount: estimateOf(lines),
    orderedAmount: row?.orderedAmount ?? 0,
    lines: lines.map(({ quantity = '', price = '' }, i) => ({
      quantity: isDecimal(quantity) ? quantity : '0',
      price: isDecimal(price) ? price : '0',
      orderedQuantity: row?.lines[i]?.orderedQuantity ?? '0',
    })),
  })

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

import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { plainAmount, readTypedYuan } from './typed-amount.ts'

/** Amounts as they were typed. */
export interface TypedTenders {
  /** Absent: the whole sum, as shown. */
  readonly receivedText?: string | undefined
  readonly others: readonly { readonly text: string }[]
}

export interface TenderFault {
  /** `main`, or which of the further methods. */
  readonly at: 'main' | number
  readonly message: string
}

/** Nobody lays a hundred million on a counter: a bar-code does. */
const isBeyondMoney = (text: string): boolean => /^0*[1-9]\d{8,}(\.\d*)?$/.test(text.replaceAll(',', ''))

const amountFault = (text: string, label: string): string | undefined => {
  if (!text.trim()) return `请填写${label}`
  if (isBeyondMoney(plainAmount(text))) return `${label}过大，请核对`
  const amount = readTypedYuan(text)
  if (amount === undefined) return `${label}应为数字，最多两位小数`
  return amount < 0 ? `${label}应大于 0` : undefined
}

/** Why a payment cannot be taken as typed, shown at its field (PAY-12). */
export function findTenderFault(
  { receivedText, others }: TypedTenders,
  sums: { readonly tendered: Fen; readonly shortfall: Fen },
  allowsPartial: boolean,
): TenderFault | undefined {
  for (const [index, { text }] of others.entries()) {
    const message = amountFault(text, `第 ${index + 2} 种方式的金额`)
    if (message) return { at: index, message }
  }
  const message = receivedText === undefined ? undefined : amountFault(receivedText, '实收金额')
  if (message) return { at: 'main', message }
  if (sums.tendered <= 0) return { at: 'main', message: '实收金额应大于 0' }
  if (sums.shortfall > 0 && !allowsPartial)
    return {
      at: 'main',
      message: `本项目不允许部分缴费，还差 ${formatYuan(sums.shortfall, { thousands: true })} 元`,
    }
  return undefined
}

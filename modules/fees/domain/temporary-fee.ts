import type { Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { Period } from '#kit/domain/period.ts'
import type { DefinitionFault } from './definition-rules.ts'
import type { Standard } from './standard.ts'

/** The most one bill may be: 99 999 999.99 yuan (TMP-1, FEE-23). */
export const maxBillAmount: Fen = asFen(9_999_999_999)

/** Why a temporary fee cannot be made, with its field (TMP-1). */
export function temporaryRefusal(
  feeType: Standard['feeType'],
  amount: Fen,
  sources: number,
  period: Partial<Period>,
): DefinitionFault | undefined {
  const at = (key: string, message: string): DefinitionFault => ({ key, message })
  if (feeType !== 'temporary' && feeType !== 'deposit')
    return at('feeItemId', '只有临时类和押金类收费项目可以手工开单，请更换收费项目')
  if (!Number.isInteger(amount) || amount <= 0) return at('amount', '金额应大于零')
  if (amount > maxBillAmount) return at('amount', '金额不能超过 99999999.99 元')
  if (sources < 1) return at('sources', '请至少选择一个收费对象')
  return period.begin !== undefined && period.end !== undefined && period.end < period.begin
    ? at('endDate', `账期止 ${period.end} 不能早于账期起 ${period.begin}`)
    : undefined
}

/** TMP-1: from today to today by default; a period with one end gets that day as its other end. */
export const completeTemporaryPeriod = (p: Partial<Period>, today: Day): Period => ({
  begin: p.begin ?? p.end ?? today,
  end: p.end ?? p.begin ?? today,
})

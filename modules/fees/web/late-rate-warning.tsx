import type { Decimal } from '#kit/domain/decimal.ts'
import { isHighRate } from '../domain/late-rate.ts'
import './fees.css'

/** LATE-7: shown under the form where a rate is unusually high; it may be saved all the same. */
export function LateRateWarning({
  rates = [],
}: {
  readonly rates: readonly { readonly rate?: Decimal | undefined }[] | undefined
}) {
  if (!rates.some(({ rate }) => rate !== undefined && isHighRate(rate))) return null
  return (
    <p className="late-rate-warning" role="status">
      日费率超过 0.1%，发生纠纷时可能被认定过高而调减，请核对
    </p>
  )
}

import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { payMethod, recordState } from '#modules/payments/contract/choices.ts'
import {
  ResidentFrame,
  ResidentPlaceholder,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { getResidentReceipt, type ResidentReceipt } from '../contract/bills.ts'
import { anonymousOptions, backToBills, periodText } from './bill-pages.ts'

const title = '收据'

function Facts({ receipt }: { readonly receipt: ResidentReceipt }) {
  const facts: readonly (readonly [label: string, text: string | undefined])[] = [
    ['收据号', receipt.receiptNo],
    ['流水号', receipt.recordNo],
    ['缴费时间', receipt.payTime.slice(0, 16)],
    ['支付方式', labelOf(payMethod, receipt.method)],
    ['缴费人', receipt.payerName],
    ['收款单位', receipt.companyName],
    ['状态', receipt.state === 'normal' ? undefined : labelOf(recordState, receipt.state)],
    ['已退', receipt.refunded > 0 ? displayYuanWithSymbol(receipt.refunded) : undefined],
  ]
  return (
    <dl className="receipt">
      {facts.map(
        ([label, text]) =>
          text !== undefined && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const Details = ({ details }: Pick<ResidentReceipt, 'details'>) => (
  <ul className="lines" aria-label="明细">
    {details.map((line, i) => (
      <li key={i}>
        <div className="line record">
          <span>
            <b>{line.feeItemName}</b>
            <small>{periodText(line)}</small>
            <small>{line.sourceName}</small>
          </span>
          <span>
            <b className="figure">{displayYuanWithSymbol(line.principal)}</b>
            {line.late > 0 && <small>违约金 {displayYuanWithSymbol(line.late)}</small>}
          </span>
        </div>
      </li>
    ))}
  </ul>
)

/** What a payment was for, at this home. */
export function Receipt({ address, recordId }: { readonly address: ResidentAddress; readonly recordId: Id }) {
  const asked = useCall(getResidentReceipt, { ...address, recordId }, anonymousOptions)
  const receipt = asked.data
  if (!receipt)
    return <ResidentPlaceholder title={title} error={asked.error} onRetry={() => void asked.refetch()} />
  return (
    <div className="resident-bills">
      <ResidentFrame
        title={title}
        note={`${receipt.estateName} ${receipt.placeName}`}
        servicePhone={receipt.servicePhone}
        back={backToBills(address)}
      >
        <main>
          <section className="outcome">
            <small>实缴</small>
            <b>{displayYuanWithSymbol(receipt.amount)}</b>
          </section>
          <section>
            <Facts receipt={receipt} />
          </section>
          <Details details={receipt.details} />
        </main>
      </ResidentFrame>
    </div>
  )
}

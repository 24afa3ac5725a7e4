import type { ChannelOption } from './cashier-methods.tsx'
import type { PayerCode } from './use-payer-code.ts'
import type { TenderForm } from './use-tender-form.ts'

/** Why a code that was read is not sent. */
const lostCodeTexts: Readonly<Record<NonNullable<PayerCode['lost']>, string>> = {
  expired: '付款码已过期（1 分钟内有效），请重新扫码',
  reopened: '收费对象已重新打开，付款码已清除，请重新扫码',
  changed: '账单已变更，付款码已清除，请重新扫码',
}

/** The payer's code that was read, and how to clear it. */
function PayerCodeNote({ payerCode: { code, lost, clear } }: { readonly payerCode: PayerCode }) {
  if (lost) return lostCodeTexts[lost]
  return (
    <>
      已读取付款码（尾号 {code?.slice(-4)}），发起收款后自动提交。{' '}
      <button type="button" className="plain" aria-label="清除付款码" onClick={clear}>
        清除
      </button>
    </>
  )
}

/** What to do next when a channel takes the money. */
export function ChannelHelp({
  form: { choices },
  channel,
  payerCode,
}: {
  readonly form: TenderForm
  readonly channel: ChannelOption
  readonly payerCode: PayerCode
}) {
  const isOffsetIgnored = choices.usesPrestore || choices.roundsOff || choices.others.length > 0
  const hasNote = channel.mode === 'scan' && (payerCode.code !== undefined || payerCode.lost !== undefined)
  return (
    <div className="cashier-cash">
      <p className="cashier-how" role="status">
        {hasNote ? <PayerCodeNote payerCode={payerCode} /> : channel.help}
      </p>
      {isOffsetIgnored && (
        <p className="cashier-how">线上收款按账单合计收取，不与预存抵扣、抹零、组合收款同用。</p>
      )}
    </div>
  )
}

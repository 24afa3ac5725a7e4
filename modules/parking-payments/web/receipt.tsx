import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { getPayerReceipt } from '../contract/payer.ts'
import { describeProblem } from './problem.ts'

type ReceiptFacts = NonNullable<typeof getPayerReceipt.output.T>

const anonymous = { quiet: true, project: 0, staleMs: 0 } as const
const refetchMs = 2500

function outcomeOf({ state, isReturned, hasLeft, leaveBefore }: ReceiptFacts): string {
  if (isReturned) return '停车费已退回，原路到账'
  if (state === 'waiting' || state === 'paying') return '正在确认支付结果'
  if (state !== 'paid') return '支付未完成'
  if (hasLeft) return '缴费成功，请离场'
  return leaveBefore === undefined ? '缴费成功' : `缴费成功，请在 ${leaveBefore.slice(11, 16)} 前离场`
}

function hintOf({ state, isReturned, hasLeft }: ReceiptFacts): string | undefined {
  if (isReturned) return '该次停车已缴清或已结束'
  if (state === 'waiting' || state === 'paying') return '付款后自动显示结果'
  if (state !== 'paid') return '请重新查询后支付'
  return hasLeft ? undefined : '超过时间离场需补缴差额'
}

interface ReceiptProps {
  readonly receipt: string
  readonly onBack: () => void
}

/** How the payment went; asked again until it is decided. */
export function Receipt({ receipt, onBack }: ReceiptProps) {
  const asked = useCall(getPayerReceipt, { receipt }, { ...anonymous, refetchMs })
  const facts = asked.data
  if (!facts)
    return (
      <p role={asked.error ? 'alert' : 'status'}>
        {asked.error ? describeProblem(asked.error) : '正在查询支付结果…'}
      </p>
    )
  const hint = hintOf(facts)
  return (
    <>
      <section className="outcome" data-state={facts.state} aria-label="缴费结果">
        <p role="status">{outcomeOf(facts)}</p>
        <span>
          {facts.parkName} {facts.plateNo}
        </span>
        {facts.amount > 0 && <b>{displayYuanWithSymbol(facts.amount)}</b>}
        {hint !== undefined && <small>{hint}</small>}
      </section>
      <button type="button" className="big" onClick={onBack}>
        返回
      </button>
    </>
  )
}

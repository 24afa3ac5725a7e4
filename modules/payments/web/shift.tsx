import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { count, yuan } from '#kit/web/figure.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { NotRead } from '#kit/web/trouble.tsx'
import { nearText } from '#kit/web/when.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { payMethod } from '../contract/choices.ts'
import { handoverPreview } from '../contract/close.ts'
import { menu } from '../module.ts'

/** 本班收款: what this person has taken since his last hand-over, and the cash he owes the desk (PAY-23). */
export function Shift() {
  const project = useProject()
  const may = usePermission()
  const q = useCall(
    handoverPreview,
    { projectCode: project ?? '' },
    { quiet: true, keep: true, enabled: project !== undefined, every: 60_000 },
  )
  const p = project ? q.data : undefined
  return (
    <>
      <header>
        <h2>本班收款</h2>
        <small>{p?.beginTime && `自 ${nearText(p.beginTime)}`}</small>
        {may(menu.handover.may.view) && <Link to="/finance/chargemanage/handover">交账</Link>}
      </header>
      {p && p.count > 0 && (
        <p className="bench-sum">
          应交现金 <b className="figure">{yuan(p.cashAmount, true)}</b>
          <small>{count(p.count)} 笔</small>
        </p>
      )}
      {p?.methods.map(m => (
        <div className="bench-row" key={m.method}>
          <span>{labelOf(payMethod, m.method)}</span>
          <span className="bench-far">{count(m.count)} 笔</span>
          <span className="figure">{yuan(m.received - m.refunded)}</span>
        </div>
      ))}
      {p?.count === 0 && <p className="block-none">本班还没有收款</p>}
      {!project && <p className="block-none">选择一个项目后显示</p>}
      {q.isError && !p && <NotRead again={q.refetch} />}
    </>
  )
}

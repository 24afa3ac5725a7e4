import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { subtractFen } from '#kit/domain/money.ts'
import { formatCount, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { InlineLoadFailure } from '#kit/web/page-error.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { payMethod } from '../contract/choices.ts'
import { addHandover, previewHandover } from '../contract/day-close.ts'
import { paths } from './paths.ts'

/** 本班收款: what this person has taken since the last hand-over, and the cash to hand over (PAY-23). */
export function ShiftSummary() {
  const project = useProject()
  const hasPermission = usePermission()
  const query = useCall(
    previewHandover,
    { projectCode: project ?? '' },
    { quiet: true, keepPrevious: true, enabled: project !== undefined, refetchMs: 60_000 },
  )
  const preview = project ? query.data : undefined
  return (
    <>
      <header>
        <h2>本班收款</h2>
        <small>{preview?.beginTime && `自 ${relativeText(preview.beginTime)}`}</small>
        {hasPermission(addHandover.needs) && <Link to={paths.handover}>交账</Link>}
      </header>
      {preview && preview.count > 0 && (
        <p className="bench-sum">
          应交现金 <b className="figure">{displayYuanWithSymbol(preview.cashAmount)}</b>
          <small>{formatCount(preview.count)} 笔</small>
        </p>
      )}
      {preview?.methods.map(line => (
        <div className="bench-row" key={line.method}>
          <span>{labelOf(payMethod, line.method)}</span>
          <span className="bench-far">{formatCount(line.count)} 笔</span>
          <span className="figure">{displayYuan(subtractFen(line.received, line.refunded))}</span>
        </div>
      ))}
      {preview?.count === 0 && <p className="block-none">本班暂无收款</p>}
      {!project && <p className="block-none">请先选择项目</p>}
      {query.isError && !preview && <InlineLoadFailure onRetry={query.refetch} />}
    </>
  )
}

import { paths } from './paths.ts'
import type { Id } from '#kit/domain/id.ts'
import { Button, Progress } from 'antd'
import { CheckOutlined, CloseOutlined, LoadingOutlined, UndoOutlined } from '@ant-design/icons'
import { useEffect } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import { runState } from '../contract/choices.ts'
import { getRun, type RunDetail } from '../contract/run.ts'
import { menu } from '../module.ts'
import { skipFixes } from './skip-fixes.ts'
import { confirmUndoRun } from './undo-run.ts'

const isUnderWay = (r: RunDetail): boolean => r.state === 'waiting' || r.state === 'running'

const runBillsPath = (r: RunDetail): string =>
  `${paths.bills}?projectCode=${r.projectCode}&batchNo=${r.batchNo}&anyState=1`

const unpaidOfRun = (r: RunDetail): string =>
  `${paths.unpaid}?projectCode=${r.projectCode}&batchNo=${r.batchNo}`

type SkipCount = NonNullable<RunDetail['skips']>[number]

/** Each object once, however many of its relations were skipped. */
const sampleNames = (skip: SkipCount): string[] => [...new Set(skip.samples.map(s => s.sourceName))]

const skipsOf = (run: RunDetail): SkipCount[] => (run.skips ?? []).filter(s => s.reason !== 'excluded')

const effectiveBillCount = ({ billCounts: s }: RunDetail): number => s.unpaid + s.paid + s.invoiced + s.locked

/** Steps three and four: the progress of the run, then its result and a way to undo it. */
export function ResultStep({
  id,
  onOver,
  onAgain,
}: {
  readonly id: Id
  readonly onOver: () => void
  readonly onAgain: () => void
}) {
  const query = useCall(getRun, { id }, { staleMs: 0, keepPrevious: true, refetchMs: 1000, quiet: true })
  const run = query.data
  const isOver = run !== undefined && !isUnderWay(run)
  useEffect(() => {
    if (isOver) {
      onOver()
    }
  }, [isOver, onOver])
  if (query.isPending)
    return (
      <div className="wizard-body">
        <RowSkeleton rows={6} />
      </div>
    )
  if (!run)
    return (
      <div className="wizard-body">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  return (
    <div className="wizard-body">
      <div className="wizard-result" aria-live="polite">
        <RunCard run={run} />
        <SkippedCard run={run} />
        {isOver && <NextSteps run={run} onAgain={onAgain} />}
      </div>
    </div>
  )
}

function headline(run: RunDetail): string {
  const made = formatCount(run.made)
  if (isUnderWay(run)) return `正在生成：已生成 ${made} 张`
  if (run.state === 'done') return `已生成 ${made} 张账单，合计 ${displayYuanWithSymbol(run.amount)}`
  if (run.state === 'undone') return `已撤销 ${formatCount(run.billCounts.abolished)} 张账单`
  return `${labelOf(runState, run.state)}：已生成 ${made} 张`
}

function RunMark({ run }: { readonly run: RunDetail }) {
  if (isUnderWay(run))
    return (
      <span className="run-mark doing" aria-hidden>
        <LoadingOutlined />
      </span>
    )
  const isBad = run.state === 'failed' || run.state === 'stopped'
  return (
    <span className={isBad ? 'run-mark bad' : 'run-mark'} aria-hidden>
      {isBad ? <CloseOutlined /> : <CheckOutlined />}
    </span>
  )
}

function RunProgress({ run }: { readonly run: RunDetail }) {
  const underWay = isUnderWay(run)
  const isBad = run.state === 'failed' || run.state === 'stopped'
  const total = Math.max(run.total, run.done)
  const percent = run.total ? Math.min(100, Math.round((run.done / total) * 100)) : underWay ? 0 : 100
  return (
    <Progress
      percent={percent}
      status={isBad ? 'exception' : underWay ? 'active' : 'success'}
      format={() => `${formatCount(run.done)} / ${formatCount(total)}`}
      style={{ marginTop: 12 }}
    />
  )
}

function RunCard({ run }: { readonly run: RunDetail }) {
  const hasPermission = usePermission()
  const underWay = isUnderWay(run)
  const figures = [
    ['已生成', formatCount(run.made)],
    ['合计', displayYuanWithSymbol(run.amount)],
    ['跳过', formatCount(skipsOf(run).reduce((n, s) => n + s.count, 0))],
    ['人工排除', formatCount(run.skips?.find(s => s.reason === 'excluded')?.count ?? 0)],
  ] as const
  return (
    <section className="wizard-card">
      <div className="run-top">
        <RunMark run={run} />
        <div>
          <h2>{headline(run)}</h2>
          <p>
            批次 {run.batchNo} · {run.operatorName} {run.createTime?.slice(5, 19)} 开始
            {run.endTime ? ` · ${run.endTime.slice(11, 19)} 结束` : ' · 可以离开，任务中心可再次查看'}
            {run.message && !underWay ? ` · ${run.message}` : ''}
          </p>
        </div>
        <span className="spring" />
        {!underWay && effectiveBillCount(run) > 0 && hasPermission(menu.bill.permissions.abolish) && (
          <Button danger icon={<UndoOutlined />} onClick={() => void confirmUndoRun(run)}>
            撤销本批
          </Button>
        )}
      </div>
      <RunProgress run={run} />
      <dl className="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="figure">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function SkippedCard({ run }: { readonly run: RunDetail }) {
  const skips = skipsOf(run)
  const skipped = skips.reduce((n, s) => n + s.count, 0)
  if (!skipped) return null
  return (
    <section className="wizard-card">
      <h2>跳过 {formatCount(skipped)} 个</h2>
      <ul className="wizard-skips">
        {skips.map(skip => {
          const fix = skipFixes[skip.reason]
          const names = sampleNames(skip)
          return (
            <li key={skip.reason}>
              <span>
                {labelOf(skipReason, skip.reason)} <b className="figure">{formatCount(skip.count)}</b>
              </span>
              <span className="names">
                {names.slice(0, 8).join('、')}
                {skip.count > skip.samples.length || names.length > 8 ? ' 等' : ''}
              </span>
              {fix ? (
                <button
                  type="button"
                  className="linkish"
                  onClick={() => navigateTo(fix.to(skip.count === 1 ? skip.samples[0] : undefined))}
                >
                  {fix.words}
                </button>
              ) : (
                <span />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function undoCondition({ billCounts: s }: RunDetail): string {
  return s.paid + s.invoiced + s.locked === 0
    ? '目前均未缴费、未开票、未锁定，可整批撤销；撤销后账期释放，可重新生成'
    : `中 ${formatCount(s.paid)} 张已缴、${formatCount(s.invoiced)} 张已开票、${formatCount(s.locked)} 张支付中，只能「仅撤销未缴」`
}

function NextSteps({ run, onAgain }: { readonly run: RunDetail; readonly onAgain: () => void }) {
  const live = effectiveBillCount(run)
  const hasPermission = usePermission()
  return (
    <>
      <div className="wizard-next">
        {run.made > 0 && (
          <button type="button" onClick={() => navigateTo(runBillsPath(run))}>
            <b>查看本批账单</b>
            <small>按批次号筛选的账单列表</small>
          </button>
        )}
        {run.made > 0 && hasPermission(menu.notice.permissions.urge) && (
          <button type="button" onClick={() => navigateTo(unpaidOfRun(run))}>
            <b>催缴本批账单</b>
            <small>勾选账单后发送短信、微信或打印催缴函</small>
          </button>
        )}
        <button type="button" onClick={onAgain}>
          <b>再生成一批</b>
          <small>更换账期、项目或楼栋</small>
        </button>
      </div>
      {live > 0 && (
        <p className="wizard-hint">
          撤销条件：本批 {formatCount(live)} 张{undoCondition(run)}。
        </p>
      )}
    </>
  )
}

import { Button, Progress } from 'antd'
import { CheckOutlined, CloseOutlined, LoadingOutlined, UndoOutlined } from '@ant-design/icons'
import { useEffect } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
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
  `/finance/chargemanage/chargeList?projectCode=${r.projectCode}&batchNo=${r.batchNo}&anyState=1`

/** Each object once, whatever was skipped of it. */
const sampleNames = (x: NonNullable<RunDetail['skips']>[number]): string[] => [
  ...new Set(x.samples.map(y => y.sourceName)),
]

/** Steps three and four: how far the run is, then what it made, what it left, and the way back. */
export function ResultStep({
  id,
  onOver,
  onAgain,
}: {
  readonly id: number
  readonly onOver: () => void
  readonly onAgain: () => void
}) {
  const q = useCall(getRun, { id }, { staleMs: 0, keepPrevious: true, refetchMs: 1000, quiet: true })
  const r = q.data
  const may = usePermission()
  const going = r ? isUnderWay(r) : true
  useEffect(() => {
    if (r && !going) {
      onOver()
    }
  }, [r, going, onOver])
  if (q.isPending)
    return (
      <div className="wizard-body">
        <RowSkeleton rows={6} />
      </div>
    )
  if (!r)
    return (
      <div className="wizard-body">
        <ErrorState error={q.error} onRetry={() => void q.refetch()} />
      </div>
    )
  const skipped = (r.skips ?? []).filter(s => s.reason !== 'excluded').reduce((n, s) => n + s.count, 0)
  const excluded = r.skips?.find(s => s.reason === 'excluded')?.count ?? 0
  const s = r.standing
  const live = s.unpaid + s.paid + s.invoiced + s.locked
  const head = going
    ? `正在生成：已生成 ${formatCount(r.made)} 张`
    : r.state === 'done'
      ? `已生成 ${formatCount(r.made)} 张账单，合计 ${displayYuan(r.amount, true)}`
      : r.state === 'undone'
        ? `已撤销 ${formatCount(s.gone)} 张账单`
        : `${labelOf(runState, r.state)}：已生成 ${formatCount(r.made)} 张`
  const bad = r.state === 'failed' || r.state === 'stopped'
  return (
    <div className="wizard-body">
      <div className="wizard-result" aria-live="polite">
        <section className="wizard-card">
          <div className="run-top">
            <span className={`run-mark${bad ? ' bad' : going ? ' doing' : ''}`} aria-hidden>
              {going ? <LoadingOutlined /> : bad ? <CloseOutlined /> : <CheckOutlined />}
            </span>
            <div>
              <h2>{head}</h2>
              <p>
                批次 {r.batchNo} · {r.operatorName} {r.createTime?.slice(5, 19)} 开始
                {r.endTime ? ` · ${r.endTime.slice(11, 19)} 结束` : ' · 可以离开，任务中心可再次查看'}
                {r.message && !going ? ` · ${r.message}` : ''}
              </p>
            </div>
            <span className="spring" />
            {!going && live > 0 && may(menu.bill.permissions.abolish) && (
              <Button danger icon={<UndoOutlined />} onClick={() => void confirmUndoRun(r)}>
                撤销本批
              </Button>
            )}
          </div>
          <Progress
            percent={
              r.total
                ? Math.min(100, Math.round((r.done / Math.max(r.total, r.done)) * 100))
                : going
                  ? 0
                  : 100
            }
            status={bad ? 'exception' : going ? 'active' : 'success'}
            format={() => `${formatCount(r.done)} / ${formatCount(Math.max(r.total, r.done))}`}
            style={{ marginTop: 12 }}
          />
          <dl className="figures">
            <div>
              <dt>已生成</dt>
              <dd className="figure">{formatCount(r.made)}</dd>
            </div>
            <div>
              <dt>合计</dt>
              <dd className="figure">{displayYuan(r.amount, true)}</dd>
            </div>
            <div>
              <dt>跳过</dt>
              <dd className="figure">{formatCount(skipped)}</dd>
            </div>
            <div>
              <dt>人工排除</dt>
              <dd className="figure">{formatCount(excluded)}</dd>
            </div>
          </dl>
        </section>
        {skipped > 0 && (
          <section className="wizard-card">
            <h2>跳过 {formatCount(skipped)} 个</h2>
            <ul className="wizard-skips">
              {(r.skips ?? [])
                .filter(x => x.reason !== 'excluded')
                .map(x => {
                  const fix = skipFixes[x.reason]
                  return (
                    <li key={x.reason}>
                      <span>
                        {labelOf(skipReason, x.reason)} <b className="figure">{formatCount(x.count)}</b>
                      </span>
                      <span className="names">
                        {sampleNames(x).slice(0, 8).join('、')}
                        {x.count > x.samples.length || sampleNames(x).length > 8 ? ' 等' : ''}
                      </span>
                      {fix ? (
                        <button
                          type="button"
                          className="linkish"
                          onClick={() => navigateTo(fix.to(x.count === 1 ? x.samples[0] : undefined))}
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
        )}
        {!going && (
          <>
            <div className="wizard-next">
              {r.made > 0 && (
                <button type="button" onClick={() => navigateTo(runBillsPath(r))}>
                  <b>查看本批账单</b>
                  <small>按批次号筛选的账单列表</small>
                </button>
              )}
              <button type="button" onClick={onAgain}>
                <b>再生成一批</b>
                <small>换一个账期、项目或楼栋</small>
              </button>
            </div>
            {live > 0 && (
              <p className="wizard-hint">
                撤销条件：本批 {formatCount(live)} 张
                {s.paid + s.invoiced + s.locked === 0
                  ? '目前均未缴费、未开票、未锁定，可整批撤销；撤销后账期释放，可重新生成'
                  : `中 ${formatCount(s.paid)} 张已缴、${formatCount(s.invoiced)} 张已开票、${formatCount(s.locked)} 张支付中，只能「仅撤销未缴」`}
                。
              </p>
            )}
          </>
        )}
      </div>
    </div>
  )
}

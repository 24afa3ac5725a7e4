import { paths } from './paths.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { Progress } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { subtractFen, sumFen } from '#kit/domain/money.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { invalidate, useCall } from '#kit/web/query.ts'
import { useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { repriceAllBills, listRepriceable } from '../contract/reprice.ts'
import { getRun, type RunDetail } from '../contract/run.ts'
import './generate.css'
import { confirmReprice, confirmRepriceAll } from './reprice-confirm.ts'
import { RepriceList } from './reprice-list.tsx'

/** The progress of the task that replaces all bills; calls `onOver` once it has ended. */
function RepriceProgress({
  id,
  onOver,
}: {
  readonly id: Id
  readonly onOver: (run: Pick<RunDetail, 'state' | 'message'>) => void
}) {
  const run = useCall(getRun, { id }, { staleMs: 0, keepPrevious: true, refetchMs: 1000, quiet: true }).data
  const isOver = run !== undefined && run.state !== 'waiting' && run.state !== 'running'
  useEffect(() => {
    if (isOver) {
      onOver(run)
    }
  }, [isOver, onOver, run])
  return (
    <section className="wizard-card" aria-live="polite">
      <h2>正在重新生成{run ? `：已处理 ${formatCount(run.done)} / ${formatCount(run.total)} 条` : ''}</h2>
      <Progress percent={run?.total ? Math.floor((run.done / run.total) * 100) : 0} status="active" />
      <p>
        {run && `批次 ${run.batchNo} · `}可以离开，任务中心可查看进度与结果；未改动的账单和原因在结果文件中
      </p>
    </section>
  )
}

/**
 * After a price change (FEE-6): the unpaid bills of a standard at the old price, their new amounts, and the
 * action that replaces them.
 */
export default function RepricePage() {
  const [params] = useSearchParams()
  const standardId = parseId(params.get('id'))
  const navigate = useNavigate()
  const query = useCall(listRepriceable, { standardId }, { enabled: standardId > 0, quiet: true, staleMs: 0 })
  const list = query.data
  const [unselected, setUnselected] = useState<ReadonlySet<Id>>(new Set())
  const [startedRun, setStartedRun] = useState<Id>()
  const { refetch } = query
  useTabTitle(list && `重新生成 ${list.standardName}`)
  const onOver = useCallback(
    ({ state, message = '' }: Pick<RunDetail, 'state' | 'message'>): void => {
      setStartedRun(undefined)
      setUnselected(new Set())
      void refetch()
      void invalidate([...(repriceAllBills.affects ?? [])])
      ;(state === 'done' ? toast.success : toast.warning)(message)
    },
    [refetch],
  )
  if (!standardId)
    return (
      <StateMessage
        text="请从收费标准的详情中打开"
        actions={[{ label: '查看收费标准', run: () => void navigate(paths.feeSetting) }]}
      />
    )
  if (query.isPending)
    return (
      <div className="wizard-body">
        <RowSkeleton rows={10} />
      </div>
    )
  if (!list) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const runId = startedRun ?? list.runId
  if (runId !== undefined)
    return (
      <div className="wizard">
        <header className="wizard-head">
          <h1>按新价格重新生成</h1>
        </header>
        <div className="wizard-body">
          <RepriceProgress id={runId} onOver={onOver} />
        </div>
      </div>
    )
  if (!list.count)
    return (
      <StateMessage
        text={`「${list.standardName}」没有按旧价格出的未缴账单`}
        actions={[{ label: '查看收费列表', run: () => void navigate(paths.bills) }]}
      />
    )
  return (
    <RepriceList
      list={list}
      unselected={unselected}
      setUnselected={setUnselected}
      onRepriceSelected={bills =>
        void confirmReprice(bills, () => {
          setUnselected(new Set())
          return refetch()
        })
      }
      onRepriceAll={() =>
        void confirmRepriceAll(
          {
            standardId,
            // Bills beyond the listed ones cannot be unselected.
            count: list.count - unselected.size,
            amount: subtractFen(
              list.amount,
              sumFen(list.rows.map(r => (unselected.has(r.id) ? r.amount : 0))),
            ),
            without: [...unselected].map(String),
          },
          setStartedRun,
        )
      }
      onOpenStandard={() => void navigate(`${paths.feeStandard}?id=${standardId}`)}
    />
  )
}

import type { Id } from '#kit/domain/id.ts'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { keyOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { getCashierView } from '../contract/cashier.ts'
import { CashierBills } from './cashier-bills.tsx'
import { CashierSearch, type ChosenSource } from './cashier-search.tsx'
import { CashierActions } from './cashier-actions.tsx'
import { CashierPayment } from './cashier-payment.tsx'
import { CashierPayer } from './cashier-payer.tsx'
import { CashierRecent } from './cashier-recent.tsx'
import './cashier.css'

export type CashierView = NonNullable<typeof getCashierView.output.T>
export type CashierBill = CashierView['groups'][number]['bills'][number]

/**
 * 收银台: find, tick, take, from left to right without changing the page. The address holds whose bills are
 * open.
 */
export default function CashierPage() {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  if (!project || project === '0')
    return (
      <div className="cashier">
        <p className="cashier-blank">收银台按项目收款，请先在左上角选择一个项目</p>
      </div>
    )
  return <Cashier project={project} key={project} />
}

function Cashier({ project }: { readonly project: string }) {
  const [searchParams, setSearchParams] = useSearchParams()
  const type = keyOf(sourceType, searchParams.get('type') ?? '')
  const code = searchParams.get('code') ?? ''
  const openSource = (c: ChosenSource | undefined): void =>
    setSearchParams(c ? { type: String(sourceType.rows[c.sourceType][0]), code: c.sourceCode } : {}, {
      replace: true,
    })
  const [doneCount, setDoneCount] = useState(0)
  const view = useCall(
    getCashierView,
    { projectCode: project, sourceType: type ?? 'room', sourceCode: code },
    { enabled: type !== undefined && code !== '', quiet: true, staleMs: 0 },
  )
  const renderWorkspace = () => {
    if (!code)
      return (
        <div className="cashier-rest">
          <p className="cashier-blank">
            在左边搜索房号、手机、姓名、车位、公司、账单号或收据号，回车打开第一个
            <br />
            <br />
            <CashierActions onRefresh={() => setDoneCount(n => n + 1)} />
          </p>
        </div>
      )
    if (view.isError)
      return (
        <div className="cashier-rest">
          <p className="cashier-blank">
            {view.error.message} <Button onClick={() => void view.refetch()}>重试</Button>
          </p>
        </div>
      )
    if (!view.data)
      return (
        <div className="cashier-rest">
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )
    return (
      <CashierWorkspace
        key={`${type}/${code}/${doneCount}`}
        project={project}
        view={view.data}
        onRefresh={() => void view.refetch()}
        onDone={() => {
          setDoneCount(n => n + 1)
          openSource(undefined)
        }}
      />
    )
  }
  return (
    <div className="cashier">
      <aside className="cashier-left">
        <CashierSearch project={project} onChoose={openSource} resetCount={doneCount} />
        {view.data && code && (
          <CashierPayer
            key={`${type}/${code}`}
            project={project}
            view={view.data}
            onOpen={openSource}
            onRefresh={() => void view.refetch()}
          />
        )}
        <CashierRecent project={project} key={doneCount} />
      </aside>
      {renderWorkspace()}
    </div>
  )
}

function CashierWorkspace({
  project,
  view,
  onRefresh,
  onDone,
}: {
  readonly project: string
  readonly view: CashierView
  readonly onRefresh: () => void
  readonly onDone: () => void
}) {
  const allBills = view.groups.flatMap(g => g.bills)
  const [ticked, setTicked] = useState<ReadonlySet<Id>>(
    () => new Set(allBills.filter(b => b.ticked).map(b => b.billId)),
  )
  const chosen = allBills.filter(b => ticked.has(b.billId))
  return (
    <>
      <CashierBills view={view} selectedIds={ticked} onSelect={setTicked} onRefresh={onRefresh} />
      <CashierPayment
        key={[...ticked].toSorted((a, b) => a - b).join()}
        project={project}
        view={view}
        bills={chosen}
        allBills={allBills}
        onRefresh={onRefresh}
        onDone={onDone}
      />
    </>
  )
}

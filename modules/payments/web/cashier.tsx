import type { Id } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import { keyOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { toast } from '#kit/web/toast.ts'
import { getCashierView } from '../contract/cashier.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import { isPaymentCode } from '../domain/scan-burst.ts'
import { CashierBills } from './cashier-bills.tsx'
import { menu } from '../module.ts'
import { CashierSearch, type ChosenSource } from './cashier-search.tsx'
import { CashierActions } from './cashier-actions.tsx'
import { CashierPayment } from './cashier-payment.tsx'
import { CashierPayer } from './cashier-payer.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useScanBurst } from './use-scan-burst.ts'
import './cashier.css'

/** Below what is due: fetched once that stands. */
const CashierRecent = lazyComponent(
  async () => (await import('./cashier-recent.tsx')).CashierRecent,
  <section className="cashier-card cashier-recent scroll" aria-label="刚刚办理">
    <h2>刚刚办理</h2>
  </section>,
)

export type CashierView = NonNullable<typeof getCashierView.output.T>
export type CashierBill = CashierView['groups'][number]['bills'][number]

/**
 * 收银台: find, tick, take, from left to right without changing the page. The address holds whose bills are
 * open.
 */
export default function CashierPage() {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  // The shell asks for a project first, or for the first one.
  if (!project || project === '0') return null
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
  const [scan, setScan] = useState<{ readonly code: string; readonly isPayment: boolean }>()
  /** 扫码枪 is chosen: what is scanned pays. */
  const takesCodes = useRef(false)
  useScanBurst((scanned, isDialogOpen) => {
    if (isDialogOpen) return toast.warning('请在付款码输入框内扫码，或关闭对话框后再扫')
    const isPayment = isPaymentCode(scanned)
    if (takesCodes.current && !isPayment)
      return toast.warning('付款码无效，请扫付款人手机上的微信或支付宝付款码')
    setScan({ code: scanned, isPayment })
    if (isPayment && !code) {
      toast.warning('请先打开收费对象，再扫付款码')
    }
  })
  const view = useCall(
    getCashierView,
    { projectCode: project, sourceType: type ?? 'room', sourceCode: code },
    { enabled: type !== undefined && code !== '', quiet: true, staleMs: 0 },
  )
  // The methods stand above the amount: it keeps its place when it is drawn after they are known.
  const channels = useCall(listAvailableChannels, {}, { quiet: true })
  const renderWorkspace = () => {
    if (!code)
      return (
        <EmptyWorkspace>
          <p className="cashier-blank">
            请搜索房号、手机、姓名、车位、企业、账单号或收据号，回车打开第一个
            <br />
            <br />
            <CashierActions onRefresh={() => setDoneCount(n => n + 1)} />
          </p>
        </EmptyWorkspace>
      )
    if (view.isError)
      return (
        <EmptyWorkspace>
          <p className="cashier-blank">
            {view.error.message} <Button onClick={() => void view.refetch()}>重试</Button>
          </p>
        </EmptyWorkspace>
      )
    if (!view.data || channels.isPending)
      return (
        <EmptyWorkspace>
          <RowSkeleton rows={10} />
        </EmptyWorkspace>
      )
    return (
      <CashierWorkspace
        key={`${type}/${code}/${doneCount}`}
        project={project}
        view={view.data}
        scan={scan?.isPayment ? scan : undefined}
        takesCodes={takesCodes}
        onRefresh={() => void view.refetch()}
        onDone={() => {
          setScan(undefined)
          setDoneCount(n => n + 1)
          openSource(undefined)
        }}
      />
    )
  }
  return (
    <div className="cashier">
      <aside className="cashier-left">
        <CashierSearch
          project={project}
          onChoose={openSource}
          resetCount={doneCount}
          scan={scan?.isPayment ? undefined : scan}
        />
        {view.data && code ? (
          <CashierPayer
            key={`${type}/${code}`}
            project={project}
            view={view.data}
            onOpen={openSource}
            onRefresh={() => void view.refetch()}
          />
        ) : (
          <section className="cashier-card cashier-person waiting">
            {!code && <p className="cashier-none">尚未打开收费对象</p>}
          </section>
        )}
        <CashierRecent project={project} key={doneCount} />
      </aside>
      {renderWorkspace()}
    </div>
  )
}

/** The columns are as wide as with bills: nothing moves when a payer is opened. */
const EmptyWorkspace = ({ children }: { readonly children: ReactNode }) => (
  <>
    <div className="cashier-rest">{children}</div>
    <aside className="cashier-card cashier-pay" aria-label="收款" />
  </>
)

interface WorkspaceProps {
  readonly project: string
  readonly view: CashierView
  readonly scan: { readonly code: string } | undefined
  /** Whether a scanned code pays; the payment says so. */
  readonly takesCodes: RefObject<boolean>
  readonly onRefresh: () => void
  readonly onDone: () => void
}

/** What is due is ticked, also what was added since: a temporary fee is made to be paid. */
function useSelectedBills(bills: readonly CashierBill[]) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<Id>>(() => defaultSelectedIds(bills))
  const [known, setKnown] = useState<readonly CashierBill[]>(bills)
  if (known !== bills) {
    setKnown(bills)
    const knownIds = new Set(known.map(bill => bill.billId))
    const added = defaultSelectedIds(bills.filter(bill => !knownIds.has(bill.billId)))
    if (added.size) {
      setSelectedIds(new Set([...selectedIds, ...added]))
    }
  }
  return [selectedIds, setSelectedIds] as const
}

const defaultSelectedIds = (bills: readonly CashierBill[]): ReadonlySet<Id> =>
  new Set(bills.filter(bill => bill.selectedByDefault).map(bill => bill.billId))

function CashierWorkspace({ project, view, scan, takesCodes, onRefresh, onDone }: WorkspaceProps) {
  const allBills = useMemo(() => view.groups.flatMap(group => group.bills), [view])
  const [selectedIds, setSelectedIds] = useSelectedBills(allBills)
  const chosen = allBills.filter(bill => selectedIds.has(bill.billId))
  const canPay = usePermission()(menu.cashier.permissions.pay)
  return (
    <>
      <CashierBills view={view} selectedIds={selectedIds} onSelect={setSelectedIds} onRefresh={onRefresh} />
      {canPay ? (
        <CashierPayment
          key={[...selectedIds].toSorted((a, b) => a - b).join()}
          project={project}
          view={view}
          bills={chosen}
          allBills={allBills}
          scan={scan}
          takesCodes={takesCodes}
          onRefresh={onRefresh}
          onDone={onDone}
        />
      ) : (
        <aside className="cashier-card cashier-pay">
          <p className="cashier-none">没有「收银台·收款」权限，仅可查看账单</p>
        </aside>
      )}
    </>
  )
}

import { Button } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { getCashierView } from '../contract/cashier.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import { isPaymentCode } from '../domain/scan-burst.ts'
import { menu } from '../module.ts'
import { CashierSearch } from './cashier-search.tsx'
import { CashierActions } from './cashier-actions.tsx'
import { CashierPayer } from './cashier-payer.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { focusBills } from './focus-bills.ts'
import { useOpenSource } from './use-open-source.ts'
import { useScanBurst } from './use-scan-burst.ts'
import type { ScanTarget } from './use-scanned-code.ts'
import './cashier.css'

/** Below what is due: fetched once that is drawn. */
const CashierRecent = lazyComponent(
  async () => (await import('./cashier-recent.tsx')).CashierRecent,
  <section className="cashier-card cashier-recent scroll" aria-label="刚刚办理">
    <h2>刚刚办理</h2>
  </section>,
)

/** What is fetched while the cashier types whom to look for. */
const CashierWorkspace = lazyComponent(
  async () => (await import('./cashier-workspace.tsx')).CashierWorkspace,
  <div className="cashier-rest">
    <RowSkeleton rows={10} />
  </div>,
)

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

/** Why a payer's code pays nothing here. */
const noPaymentText = (isOpen: boolean, canPay: boolean): string => {
  if (!canPay) return '没有「收银台·收款」权限，不能收款'
  return isOpen ? '账单正在加载，请稍后重新扫码' : '请先打开收费对象，再扫付款码'
}

function Cashier({ project }: { readonly project: string }) {
  const canPay = usePermission()(menu.cashier.permissions.pay)
  const { type, code, otherEstate, open: openSource, switchEstate } = useOpenSource(project)
  useEffect(() => CashierWorkspace.warm(), [])
  const [doneCount, setDoneCount] = useState(0)
  const [scan, setScan] = useState<{ readonly code: string }>()
  const scanTarget = useRef<ScanTarget>(undefined)
  useScanBurst((scanned, isDialogOpen) => {
    if (isDialogOpen) return toast.warning('请在付款码输入框内扫码，或关闭对话框后再扫')
    const payment = scanTarget.current
    if (isPaymentCode(scanned))
      return payment ? payment.read(scanned) : toast.warning(noPaymentText(code !== '', canPay))
    if (payment?.isScanChosen) return toast.warning('付款码无效，请扫付款人手机上的微信或支付宝付款码')
    setScan({ code: scanned })
  })
  const view = useCall(
    getCashierView,
    { projectCode: project, sourceType: type ?? 'room', sourceCode: code },
    { enabled: type !== undefined && code !== '', quiet: true, staleMs: 0 },
  )
  // What was read when this payer was open before is not drawn: bills that were paid since would be owed
  // again, and a code read for them would go as soon as the answer comes.
  const current = view.isFetchedAfterMount ? view.data : undefined
  // The methods are above the amount: it keeps its place when it is drawn after they are known.
  const channels = useCall(listAvailableChannels, {}, { quiet: true })
  const renderWorkspace = () => {
    if (otherEstate !== undefined)
      return (
        <EmptyWorkspace>
          <p className="cashier-blank">
            该收费对象属于其他项目，请切换项目后再收款 <Button onClick={switchEstate}>切换项目</Button>
          </p>
        </EmptyWorkspace>
      )
    if (!code)
      return (
        <EmptyWorkspace>
          <p className="cashier-blank">
            请搜索房号、手机、姓名、车位、车牌、企业、账单号或收据号，回车打开第一个
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
    if (!current || channels.isPending)
      return (
        <EmptyWorkspace>
          <RowSkeleton rows={10} />
        </EmptyWorkspace>
      )
    return (
      <CashierWorkspace
        key={`${type}/${code}/${doneCount}`}
        project={project}
        view={current}
        scanTarget={scanTarget}
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
        <CashierSearch
          project={project}
          onChoose={chosen => {
            openSource(chosen)
            // Bills that are drawn for the first time take the focus themselves.
            if (chosen.sourceType === type && chosen.sourceCode === code) {
              focusBills()
            }
          }}
          onLeave={focusBills}
          resetCount={doneCount}
          scan={scan}
        />
        {current && code ? (
          <CashierPayer
            key={`${type}/${code}`}
            project={project}
            view={current}
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

import { useMemo, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { sumFen } from '#kit/domain/money.ts'
import { usePermission } from '#kit/web/session.ts'
import { menu } from '../module.ts'
import { CashierBills } from './cashier-bills.tsx'
import { CashierPayment } from './cashier-payment.tsx'
import type { CashierBill, CashierView } from './cashier-extensions.ts'
import { CounterChoiceContext, defaultCounterChoice } from './counter-choice.ts'
import { usePayerCode } from './use-payer-code.ts'
import type { ScanTarget } from './use-scanned-code.ts'

interface WorkspaceProps {
  readonly project: string
  readonly view: CashierView
  /** Where scanned codes go; the payment says so. */
  readonly scanTarget: RefObject<ScanTarget | undefined>
  readonly onRefresh: () => void
  readonly onDone: () => void
}

/** What is due is selected, also what was added since: a temporary fee is made to be paid. */
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

/** The bills of the payer that is open, and the payment of those that are selected. */
export function CashierWorkspace({ project, view, scanTarget, onRefresh, onDone }: WorkspaceProps) {
  const allBills = useMemo(() => view.groups.flatMap(group => group.bills), [view])
  const [selectedIds, setSelectedIds] = useSelectedBills(allBills)
  const chosen = allBills.filter(bill => selectedIds.has(bill.billId))
  const canPay = usePermission()(menu.cashier.permissions.pay)
  const counterChoice = useRef(defaultCounterChoice)
  // The key: the same payer may be opened again.
  const { key: openingKey } = useLocation()
  const chosenKey = [...selectedIds].toSorted((a, b) => a - b).join()
  const payerCode = usePayerCode({
    opening: openingKey,
    bills: `${chosenKey} ${sumFen(chosen.map(bill => bill.total))}`,
  })
  return (
    <CounterChoiceContext value={counterChoice}>
      <CashierBills view={view} selectedIds={selectedIds} onSelect={setSelectedIds} onRefresh={onRefresh} />
      {canPay ? (
        <CashierPayment
          key={chosenKey}
          project={project}
          view={view}
          bills={chosen}
          allBills={allBills}
          payerCode={payerCode}
          scanTarget={scanTarget}
          onRefresh={onRefresh}
          onDone={onDone}
        />
      ) : (
        <aside className="cashier-card cashier-pay">
          <p className="cashier-none">没有「收银台·收款」权限，仅可查看账单</p>
        </aside>
      )}
    </CounterChoiceContext>
  )
}

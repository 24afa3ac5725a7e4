import { useState } from 'react'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import {
  backToHome,
  describeResidentProblem,
  ResidentFrame,
  ResidentPlaceholder,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { listResidentBills, payResidentBills, type ResidentBills } from '../contract/bills.ts'
import { anonymousOptions, pageTitle, payPathOf, periodText } from './bill-pages.ts'
import { OpenOrder } from './open-order.tsx'
import { PaidList } from './paid-list.tsx'

type Due = ResidentBills['bills'][number]

const dueNote = ({ overdueDays, dueDate }: Due): string =>
  overdueDays > 0 ? `逾期 ${overdueDays} 天` : `${dueDate} 前缴纳`

interface LineProps {
  readonly bill: Due
  readonly isSelected: boolean
  readonly canSelect: boolean
  readonly onToggle: () => void
}

const DueLine = ({ bill, isSelected, canSelect, onToggle }: LineProps) => (
  <label className="line">
    <input type="checkbox" checked={isSelected} disabled={!canSelect} onChange={onToggle} />
    <span>
      <b>{bill.feeItemName}</b>
      {bill.subject && <small>{bill.subject}</small>}
      <small>{periodText(bill)}</small>
      <small>{[bill.sourceName, bill.payerName].filter(Boolean).join(' · ')}</small>
      <small className={bill.overdueDays > 0 ? 'late' : ''}>{bill.refusal ?? dueNote(bill)}</small>
    </span>
    <span>
      <b className="figure">{displayYuanWithSymbol(bill.total)}</b>
      {bill.late > 0 && <small>含违约金 {displayYuanWithSymbol(bill.late)}</small>}
    </span>
  </label>
)

/** A deposit is paid apart from the rest: to select one leaves the others out (C27-8). */
function toggled(bills: readonly Due[], selected: ReadonlySet<Id>, bill: Due): ReadonlySet<Id> {
  if (selected.has(bill.billId)) return new Set([...selected].filter(id => id !== bill.billId))
  const alike = bills.filter(each => each.isDeposit === bill.isDeposit && selected.has(each.billId))
  return new Set([...alike.map(each => each.billId), bill.billId])
}

const defaultsOf = (bills: readonly Due[]): ReadonlySet<Id> =>
  new Set(bills.filter(bill => bill.isSelected).map(bill => bill.billId))

const totalOf = (bills: readonly Due[]): Fen => sumFen(bills.map(bill => bill.total))

interface DueListProps {
  readonly page: ResidentBills
  readonly chosen: ReadonlySet<Id>
  readonly onChoose: (chosen: ReadonlySet<Id>) => void
}

function DueList({ page: { bills, payRefusal }, chosen, onChoose }: DueListProps) {
  const payable = bills.filter(bill => bill.refusal === undefined && !bill.isDeposit)
  const hasAll = payable.length > 0 && payable.every(bill => chosen.has(bill.billId))
  const canSelect = payRefusal === undefined
  return (
    <>
      {canSelect && payable.length > 1 && (
        <label className="tick all">
          <input
            type="checkbox"
            checked={hasAll}
            onChange={() => onChoose(hasAll ? new Set() : new Set(payable.map(bill => bill.billId)))}
          />
          全选
        </label>
      )}
      <ul className="lines" aria-label="待缴账单">
        {bills.map(bill => (
          <li key={bill.billId}>
            <DueLine
              bill={bill}
              isSelected={chosen.has(bill.billId)}
              canSelect={canSelect && bill.refusal === undefined}
              onToggle={() => onChoose(toggled(bills, chosen, bill))}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface OpenedProps {
  readonly address: ResidentAddress
  readonly page: ResidentBills
  readonly onChanged: () => void
}

/** Sends what is chosen and opens the page of its order. */
function usePayment(address: ResidentAddress, onChanged: () => void) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const pay = async (bills: readonly Due[]): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      const billIds = bills.map(bill => String(bill.billId))
      const order = await send(
        payResidentBills,
        { ...address, billIds, amount: totalOf(bills) },
        { quiet: true, project: 0 },
      )
      location.assign(payPathOf(address, order))
    } catch (error) {
      setFault(describeResidentProblem(error))
      setBusy(false)
      onChanged()
    }
  }
  return { fault, isBusy, pay }
}

function OpenedBills({ address, page, onChanged }: OpenedProps) {
  const [choice, setChoice] = useState<ReadonlySet<Id>>()
  const { fault, isBusy, pay } = usePayment(address, onChanged)
  const { bills, payRefusal } = page
  const chosen = choice ?? defaultsOf(bills)
  const selected = bills.filter(bill => bill.refusal === undefined && chosen.has(bill.billId))
  const note = `${page.estateName} ${page.placeName}`
  return (
    <ResidentFrame title={pageTitle} note={note} servicePhone={page.servicePhone} back={backToHome(address)}>
      <main>
        {page.openOrders.map(order => (
          <OpenOrder key={order.orderNo} address={address} order={order} onChanged={onChanged} />
        ))}
        {bills.length === 0 ? (
          <p className="empty">暂无待缴账单</p>
        ) : (
          <>
            <p className="sum">
              <small>待缴 {page.owedCount} 笔，合计</small>
              <b>{displayYuanWithSymbol(page.owedTotal)}</b>
            </p>
            {page.owedCount > bills.length && (
              <p role="note">以下为最早的 {bills.length} 笔，缴纳后显示其余账单</p>
            )}
            <DueList page={page} chosen={chosen} onChoose={setChoice} />
          </>
        )}
        {page.paid.length > 0 && <PaidList address={address} paid={page.paid} />}
      </main>
      {(fault !== undefined || bills.length > 0) && (
        <div className="foot">
          {fault !== undefined && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          {payRefusal !== undefined && bills.length > 0 && <p role="status">{payRefusal}</p>}
          {payRefusal === undefined && bills.length > 0 && (
            <button
              type="button"
              className="big primary"
              disabled={isBusy || selected.length === 0}
              aria-busy={isBusy}
              onClick={() => void pay(selected)}
            >
              {selected.length === 0
                ? '请勾选要缴纳的账单'
                : `支付 ${displayYuanWithSymbol(totalOf(selected))}`}
            </button>
          )}
        </div>
      )}
    </ResidentFrame>
  )
}

export function BillList({ address }: { readonly address: ResidentAddress }) {
  const opened = useCall(listResidentBills, address, anonymousOptions)
  const refetch = (): void => void opened.refetch()
  if (!opened.data) return <ResidentPlaceholder title={pageTitle} error={opened.error} onRetry={refetch} />
  return (
    <div className="resident-bills">
      <OpenedBills address={address} page={opened.data} onChanged={refetch} />
    </div>
  )
}

import type { Id } from '#kit/domain/id.ts'
import { Button, Checkbox, Switch } from 'antd'
import { ReloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import { Money, formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import type { CashierView } from './cashier-extensions.ts'
import { changeSelection, payableOf, useBillKeys } from './use-bill-keys.ts'
import { CashierActions, OpenOrders } from './cashier-actions.tsx'

type BillGroup = CashierView['groups'][number]
type Bill = BillGroup['bills'][number]

interface Props {
  readonly view: CashierView
  readonly selectedIds: ReadonlySet<Id>
  readonly onSelect: (ids: ReadonlySet<Id>) => void
  readonly onRefresh: () => void
}

interface SelectAllProps {
  readonly bills: readonly Bill[]
  readonly label: string
  readonly selectedIds: ReadonlySet<Id>
  readonly onSelect: (bills: readonly Bill[], isSelected: boolean) => void
}

function SelectAll({ bills, label, selectedIds, onSelect }: SelectAllProps) {
  const payable = payableOf(bills)
  const selectedCount = payable.filter(bill => selectedIds.has(bill.billId)).length
  return (
    <Checkbox
      tabIndex={-1}
      checked={payable.length > 0 && selectedCount === payable.length}
      indeterminate={selectedCount > 0 && selectedCount < payable.length}
      disabled={!payable.length}
      aria-label={label}
      onChange={event => onSelect(bills, event.target.checked)}
    />
  )
}

interface BillRowProps {
  readonly bill: Bill
  readonly index: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
  /** Selects it, or no longer. */
  readonly onToggle: () => void
  readonly onFocus: () => void
}

/** What tells bills of one object, item and period apart: what they are for, and who pays. */
const noteOf = ({ remark, payerName }: Bill): string =>
  remark === undefined ? '' : [remark, payerName].filter(Boolean).join(' · ')

const absent = <span className="absent">--</span>

function BillRow({ bill, index, isCurrent, isSelected, onToggle, onFocus }: BillRowProps) {
  const period = formatPeriod(bill.beginDate, bill.endDate)
  const note = noteOf(bill)
  return (
    <tr
      data-row={index}
      data-at={isCurrent || undefined}
      data-on={isSelected || undefined}
      data-off={bill.refusal !== undefined || undefined}
      title={bill.refusal}
      onClick={() => {
        onFocus()
        onToggle()
      }}
    >
      <td onClick={event => event.stopPropagation()}>
        <Checkbox
          tabIndex={-1}
          checked={isSelected}
          disabled={bill.refusal !== undefined}
          aria-label={['勾选', bill.feeItemName, period, note].filter(Boolean).join(' ')}
          onChange={onToggle}
        />
      </td>
      <td className="cashier-item" title={bill.refusal ?? [bill.feeItemName, note].filter(Boolean).join(' ')}>
        {bill.feeItemName}
        {bill.refusal && <small> {bill.refusal.includes('支付中') ? '支付中' : '不能缴'}</small>}
        {note && <small className="cashier-note">{note}</small>}
        {bill.paid > 0 && (
          <small className="cashier-part figure">
            <span>已收 {displayYuan(bill.paid)}</span> <span>未收 {displayYuan(bill.principal)}</span>
          </small>
        )}
      </td>
      <td className="figure">{period}</td>
      <td className="figure cashier-dueday">{bill.dueDate}</td>
      <td className="right figure">
        {bill.overdueDays ? (
          <span className={bill.overdueDays > 30 ? 'cashier-late' : undefined}>{bill.overdueDays}</span>
        ) : (
          absent
        )}
      </td>
      <td className="right">
        <Money fen={bill.receivable} />
      </td>
      <td className="right">{bill.late ? <Money fen={bill.late} /> : absent}</td>
      <td className="right cashier-now">
        <span aria-hidden={!isSelected || undefined}>
          <Money fen={bill.total} strong />
        </span>
        {!isSelected && absent}
      </td>
    </tr>
  )
}

interface GroupHeadProps {
  readonly group: BillGroup
  readonly selectedIds: ReadonlySet<Id>
  readonly onSelect: (bills: readonly Bill[], isSelected: boolean) => void
}

/** The object of the bills below, with how many of them are selected and their sum. */
function GroupHead({ group, selectedIds, onSelect }: GroupHeadProps) {
  const selected = group.bills.filter(bill => selectedIds.has(bill.billId))
  return (
    <tr className="cashier-group">
      <td>
        <SelectAll
          bills={group.bills}
          label={`全选 ${group.sourceName}`}
          selectedIds={selectedIds}
          onSelect={onSelect}
        />
      </td>
      <td colSpan={2} className="cashier-item">
        {labelOf(sourceType, group.sourceType)} {group.sourceName}
      </td>
      <td className="cashier-dueday" />
      <td colSpan={4} className="right">
        {selected.length}/{group.bills.length} 笔{' '}
        <b className="figure">{displayYuan(sumFen(selected.map(bill => bill.total)))}</b>
      </td>
    </tr>
  )
}

function SelectionSums({
  selected,
  count,
  openOrders,
}: {
  readonly selected: readonly Bill[]
  readonly count: number
  readonly openOrders: CashierView['openOrders']
}) {
  return (
    <footer>
      <span>
        已选{' '}
        <b>
          {selected.length}/{count}
        </b>{' '}
        笔　本金 <b className="figure">{displayYuan(sumFen(selected.map(bill => bill.principal)))}</b>　违约金{' '}
        <b className="figure">{displayYuan(sumFen(selected.map(bill => bill.late)))}</b>
      </span>
      {openOrders.length > 0 ? (
        // In the toolbar they would need a second line, and the rows would move.
        <span className="cashier-more">
          <OpenOrders orders={openOrders} />
        </span>
      ) : (
        <span className="cashier-keys">
          <kbd>↑</kbd>
          <kbd>↓</kbd> 移动 <kbd>空格</kbd> 勾选 <kbd>Ctrl A</kbd> 全选
        </span>
      )}
    </footer>
  )
}

/** What is owed, by object, oldest first; all that is due is selected at first. */
export function CashierBills({ view, selectedIds, onSelect, onRefresh }: Props) {
  const [dueOnly, setDueOnly] = useState(false)
  const groups = view.groups
    .map(group => ({
      ...group,
      bills: dueOnly
        ? group.bills.filter(bill => bill.selectedByDefault || bill.overdueDays > 0)
        : group.bills,
    }))
    .filter(group => group.bills.length)
  const rows = groups.flatMap(group => group.bills)
  const selected = rows.filter(bill => selectedIds.has(bill.billId))
  const select = (bills: readonly Bill[], isSelected: boolean): void =>
    onSelect(changeSelection(selectedIds, bills, isSelected))
  const { currentIndex, setCurrentIndex, tableRef, onKeyDown, focusRows } = useBillKeys(
    rows,
    selectedIds,
    select,
  )
  return (
    <div className="cashier-card cashier-bills">
      <header>
        <h2>
          待缴 <b>{formatCount(rows.length)}</b>
        </h2>
        <span>
          <CashierActions view={view} selectedBills={selected} onRefresh={onRefresh} onClosed={focusRows} />
          <label>
            只看已到期 <Switch size="small" checked={dueOnly} onChange={setDueOnly} />
          </label>
          <Button type="text" size="small" icon={<ReloadOutlined />} aria-label="刷新" onClick={onRefresh} />
        </span>
      </header>
      <div
        className="cashier-table scroll"
        ref={tableRef}
        role="group"
        aria-label="待缴账单"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <table>
          <thead>
            <tr>
              <th>
                <SelectAll bills={rows} label="全选" selectedIds={selectedIds} onSelect={select} />
              </th>
              <th className="cashier-item">收费项目</th>
              <th>账期</th>
              <th className="cashier-dueday">应缴日</th>
              <th className="right">逾期</th>
              <th className="right">应收</th>
              <th className="right">违约金</th>
              <th className="right">本次缴</th>
            </tr>
          </thead>
          {groups.map(group => (
            <tbody key={`${group.sourceType}/${group.sourceCode}`}>
              <GroupHead group={group} selectedIds={selectedIds} onSelect={select} />
              {group.bills.map(bill => {
                const index = rows.indexOf(bill)
                const isSelected = selectedIds.has(bill.billId)
                return (
                  <BillRow
                    key={bill.billId}
                    bill={bill}
                    index={index}
                    isCurrent={index === currentIndex}
                    isSelected={isSelected}
                    onToggle={() => select([bill], !isSelected)}
                    onFocus={() => {
                      setCurrentIndex(index)
                      focusRows()
                    }}
                  />
                )
              })}
            </tbody>
          ))}
        </table>
        {!rows.length && (
          <p className="cashier-blank">{dueOnly && view.groups.length ? '暂无到期账单' : '暂无待缴账单'}</p>
        )}
      </div>
      <SelectionSums selected={selected} count={rows.length} openOrders={view.openOrders} />
    </div>
  )
}

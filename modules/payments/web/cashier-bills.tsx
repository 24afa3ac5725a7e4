import { Button, Checkbox, Switch } from 'antd'
import { ReloadOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import { Money, formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import type { CashierView } from './cashier.tsx'
import { CashierActions } from './cashier-actions.tsx'

type BillGroup = CashierView['groups'][number]
type Bill = BillGroup['bills'][number]

interface Props {
  readonly view: CashierView
  readonly ticked: ReadonlySet<number>
  readonly onTick: (ids: ReadonlySet<number>) => void
  readonly onRefresh: () => void
}

const payableOf = (list: readonly Bill[]): readonly Bill[] => list.filter(b => b.refusal === undefined)

/**
 * What is owed, by object, oldest first; all that is due is ticked. Arrows walk, Space ticks, Ctrl A ticks
 * all.
 */
export function CashierBills({ view, ticked, onTick, onRefresh }: Props) {
  const [dueOnly, setDueOnly] = useState(false)
  const [at, setAt] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const groups = view.groups
    .map(g => ({ ...g, bills: dueOnly ? g.bills.filter(b => b.ticked || b.overdueDays > 0) : g.bills }))
    .filter(g => g.bills.length)
  const rows = groups.flatMap(g => g.bills)
  const chosen = rows.filter(b => ticked.has(b.billId))
  const flip = (list: readonly Bill[], on: boolean): void => {
    const now = new Set(ticked)
    for (const b of payableOf(list)) {
      if (on) {
        now.add(b.billId)
      } else {
        now.delete(b.billId)
      }
    }
    onTick(now)
  }
  const walk = (by: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by))
    setAt(next)
    body.current?.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts([
    { keys: 'ArrowDown', label: '下一笔', run: () => walk(1) },
    { keys: 'ArrowUp', label: '上一笔', run: () => walk(-1) },
    {
      keys: 'Space',
      label: '勾选',
      run: () => {
        const b = rows[at]
        if (b) {
          flip([b], !ticked.has(b.billId))
        }
      },
    },
    {
      keys: 'Ctrl A',
      label: '全选',
      run: () =>
        flip(
          rows,
          payableOf(rows).some(b => !ticked.has(b.billId)),
        ),
    },
  ])
  const some = (
    list: readonly Bill[],
  ): { readonly checked: boolean; readonly indeterminate: boolean; readonly disabled: boolean } => {
    const f = payableOf(list)
    const n = f.filter(b => ticked.has(b.billId)).length
    return {
      checked: f.length > 0 && n === f.length,
      indeterminate: n > 0 && n < f.length,
      disabled: !f.length,
    }
  }
  const box = (list: readonly Bill[], label: string) => {
    const { checked, indeterminate, disabled } = some(list)
    return (
      <Checkbox
        checked={checked}
        indeterminate={indeterminate}
        disabled={disabled}
        aria-label={label}
        onChange={e => flip(list, e.target.checked)}
      />
    )
  }
  return (
    <main className="cashier-card cashier-bills">
      <header>
        <h2>
          待缴 <b>{formatCount(rows.length)}</b>
        </h2>
        <span>
          <CashierActions desk={view} ticked={chosen} onRefresh={onRefresh} />
          <label>
            只看已到期 <Switch size="small" checked={dueOnly} onChange={setDueOnly} />
          </label>
          <Button type="text" size="small" icon={<ReloadOutlined />} aria-label="刷新" onClick={onRefresh} />
        </span>
      </header>
      <div className="cashier-table scroll" ref={body}>
        <table>
          <thead>
            <tr>
              <th>{box(rows, '全选')}</th>
              <th>收费项目</th>
              <th>账期</th>
              <th className="cashier-dueday">应缴日</th>
              <th className="right">逾期</th>
              <th className="right">应收</th>
              <th className="right">违约金</th>
              <th className="right">本次缴</th>
            </tr>
          </thead>
          {groups.map(g => (
            <tbody key={`${g.sourceType}/${g.sourceCode}`}>
              <tr className="cashier-group">
                <td>{box(g.bills, `全选 ${g.sourceName}`)}</td>
                <td colSpan={5}>
                  {labelOf(sourceType, g.sourceType)} {g.sourceName}
                </td>
                <td colSpan={2} className="right">
                  {g.bills.filter(b => ticked.has(b.billId)).length}/{g.bills.length} 笔{' '}
                  <b className="figure">
                    {displayYuan(sumFen(g.bills.filter(b => ticked.has(b.billId)).map(b => b.total)))}
                  </b>
                </td>
              </tr>
              {g.bills.map(b => {
                const n = rows.indexOf(b)
                const on = ticked.has(b.billId)
                return (
                  <tr
                    key={b.billId}
                    data-row={n}
                    data-at={n === at || undefined}
                    data-on={on || undefined}
                    data-off={b.refusal !== undefined || undefined}
                    title={b.refusal}
                    onClick={() => {
                      setAt(n)
                      flip([b], !on)
                    }}
                  >
                    <td onClick={e => e.stopPropagation()}>
                      <Checkbox
                        checked={on}
                        disabled={b.refusal !== undefined}
                        aria-label={`勾选 ${b.feeItemName} ${formatPeriod(b.beginDate, b.endDate)}`}
                        onChange={() => flip([b], !on)}
                      />
                    </td>
                    <td className="cashier-item" title={b.refusal ?? b.feeItemName}>
                      {b.feeItemName}
                      {b.refusal && <small> {b.refusal.includes('支付中') ? '支付中' : '不能缴'}</small>}
                    </td>
                    <td className="figure">{formatPeriod(b.beginDate, b.endDate)}</td>
                    <td className="figure cashier-dueday">{b.dueDate}</td>
                    <td className="right figure">
                      {b.overdueDays ? (
                        <span className={b.overdueDays > 30 ? 'cashier-late' : undefined}>
                          {b.overdueDays}
                        </span>
                      ) : (
                        <span className="absent">--</span>
                      )}
                    </td>
                    <td className="right">
                      <Money fen={b.receivable} />
                    </td>
                    <td className="right">
                      {b.late ? <Money fen={b.late} /> : <span className="absent">--</span>}
                    </td>
                    <td className="right">
                      {on ? <Money fen={b.total} strong /> : <span className="absent">--</span>}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          ))}
        </table>
        {!rows.length && (
          <p className="cashier-blank">
            {dueOnly && view.groups.length ? '没有到期的账单' : '没有待缴的账单'}
          </p>
        )}
      </div>
      <footer>
        <span>
          已选{' '}
          <b>
            {chosen.length}/{rows.length}
          </b>{' '}
          笔　本金 <b className="figure">{displayYuan(sumFen(chosen.map(b => b.principal)))}</b>　违约金{' '}
          <b className="figure">{displayYuan(sumFen(chosen.map(b => b.late)))}</b>
        </span>
        <span className="cashier-keys">
          <kbd>↑</kbd>
          <kbd>↓</kbd> 移动 <kbd>空格</kbd> 勾选 <kbd>Ctrl A</kbd> 全选
        </span>
      </footer>
    </main>
  )
}

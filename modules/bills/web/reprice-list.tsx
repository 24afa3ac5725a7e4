import type { Id } from '#kit/domain/id.ts'
import { Button, Checkbox, Input } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { StateMessage } from '#kit/web/list/list-feedback.tsx'
import { usePermission } from '#kit/web/session.ts'
import { DataTable, type TableSelection } from '#kit/web/table/data-table.tsx'
import { listRepriceable, type RepricedBill } from '../contract/reprice.ts'
import { menu } from '../module.ts'
import './generate.css'
import { listColumns } from './reprice-columns.tsx'

type RepriceableList = NonNullable<typeof listRepriceable.output.T>

interface ListProps {
  readonly list: RepriceableList
  readonly unselected: ReadonlySet<Id>
  readonly setUnselected: (change: (ids: ReadonlySet<Id>) => ReadonlySet<Id>) => void
  readonly onRepriceSelected: (bills: readonly RepricedBill[]) => void
  readonly onRepriceAll: () => void
  readonly onOpenStandard: () => void
}

const isReplaceable = (r: RepricedBill): boolean => r.reason === undefined

const selectionOf = (
  rows: readonly RepricedBill[],
  unselected: ReadonlySet<Id>,
  setUnselected: ListProps['setUnselected'],
): TableSelection => {
  const replaceable = rows.filter(isReplaceable)
  return {
    isSelected: key => replaceable.some(r => r.id === key && !unselected.has(r.id)),
    isAllSelected: replaceable.length > 0 && replaceable.every(r => !unselected.has(r.id)),
    isSomeSelected: replaceable.some(r => !unselected.has(r.id)),
    disabledReason: i => rows[i]?.reason,
    setSelected: (indexes, isSelected) =>
      setUnselected(ids => {
        const next = new Set(ids)
        for (const index of indexes) {
          const row = rows[index]
          if (!row || !isReplaceable(row)) continue
          if (isSelected) {
            next.delete(row.id)
          } else {
            next.add(row.id)
          }
        }
        return next
      }),
  }
}

const matchesKeyword = (r: RepricedBill, keyword: string): boolean =>
  !keyword ||
  [r.sourceName, r.payerName, r.billNo].some(t => t?.toLowerCase().includes(keyword.toLowerCase()))

/** The bills at the old price; replaceable ones can be unselected. */
export function RepriceList({
  list,
  unselected,
  setUnselected,
  onRepriceSelected,
  onRepriceAll,
  onOpenStandard,
}: ListProps) {
  const [keyword, setKeyword] = useState('')
  const [onlyRefused, setOnlyRefused] = useState(false)
  const rows = useMemo(
    () => list.rows.filter(r => (!onlyRefused || !isReplaceable(r)) && matchesKeyword(r, keyword)),
    [list, keyword, onlyRefused],
  )
  const replaceable = list.rows.filter(isReplaceable)
  const refusedCount = list.rows.length - replaceable.length
  const selected = replaceable.filter(r => !unselected.has(r.id))
  const selection = selectionOf(rows, unselected, setUnselected)
  return (
    <div className="wizard">
      <header className="wizard-head">
        <h1>按新价格重新生成</h1>
      </header>
      <div className="wizard-summary">
        <span>
          收费标准<b>{list.standardName}</b>
        </span>
        <span>
          收费项目<b>{list.itemName}</b>
        </span>
        <span>
          按旧价格出的未缴账单<b className="figure">{formatCount(list.count)}</b>
        </span>
        <span className="spring" />
        <button type="button" className="linkish" onClick={onOpenStandard}>
          查看价格版本
        </button>
      </div>
      <section className="wizard-rows whole">
        <div className="bar">
          <Input
            allowClear={allowClear}
            prefix={<SearchOutlined />}
            placeholder="房号、车位、缴费人、账单号"
            aria-label="搜索"
            value={keyword}
            onChange={e => setKeyword(e.target.value.trim())}
          />
          {refusedCount > 0 && (
            <Checkbox checked={onlyRefused} onChange={e => setOnlyRefused(e.target.checked)}>
              只看不能重新生成的 {formatCount(refusedCount)} 条
            </Checkbox>
          )}
        </div>
        <div className="table">
          <DataTable<RepricedBill>
            rows={rows}
            columns={listColumns}
            keyOf={r => r.id}
            label="按旧价格出的账单"
            dense
            isStruckOut={r => r.reason !== undefined}
            selection={selection}
            placeholder={
              rows.length ? undefined : (
                <StateMessage
                  text="无符合条件的账单"
                  actions={[
                    {
                      label: '清空筛选',
                      run: () => {
                        setKeyword('')
                        setOnlyRefused(false)
                      },
                    },
                  ]}
                />
              )
            }
          />
        </div>
        <p className="foot">
          共 {formatCount(rows.length)} 条
          {list.hasMore &&
            `；只列出前 ${formatCount(list.rows.length)} 条，共 ${formatCount(list.count)} 条可在后台一次处理`}
        </p>
      </section>
      <Footer
        list={list}
        selected={selected}
        unselectedCount={unselected.size}
        onRepriceSelected={() => onRepriceSelected(selected)}
        onRepriceAll={onRepriceAll}
      />
    </div>
  )
}

interface FooterProps {
  readonly list: RepriceableList
  readonly selected: readonly RepricedBill[]
  readonly unselectedCount: number
  readonly onRepriceSelected: () => void
  readonly onRepriceAll: () => void
}

function Footer({ list, selected, unselectedCount, onRepriceSelected, onRepriceAll }: FooterProps) {
  const hasPermission = usePermission()
  const before = sumFen(selected.map(r => r.amount))
  const after = sumFen(selected.map(r => r.next ?? 0))
  return (
    <footer className="wizard-foot">
      <span>
        勾选 <b className="figure">{formatCount(selected.length)}</b> 条
      </span>
      <span>
        原金额 <b className="figure">{displayYuanWithSymbol(before)}</b>
      </span>
      <span>
        新金额 <b className="figure">{displayYuanWithSymbol(after)}</b>
      </span>
      <span className="note">不勾选的账单按原价格收取</span>
      <span className="spring" />
      {hasPermission(menu.bill.permissions.reprice) && (
        <>
          <Button
            type={list.hasMore ? 'default' : 'primary'}
            disabled={!selected.length}
            onClick={() => onRepriceSelected()}
          >
            重新生成 {formatCount(selected.length)} 张账单
          </Button>
          {list.hasMore && (
            <Button type="primary" onClick={() => onRepriceAll()}>
              全部重新生成 {formatCount(list.count - unselectedCount)} 条
            </Button>
          )}
        </>
      )}
    </footer>
  )
}

import { SearchOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import { listOfRows } from '#kit/contract/shape.ts'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { ErrorState, RowSkeleton, StateMessage } from '#kit/web/list/list-feedback.tsx'
import { displayYuan, displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { DataTable, type TableSelection } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { billGaps, gapFields, listGaps, markGaps, type Gap } from '../contract/gaps.ts'
import { menu } from '../module.ts'
import './generate.css'

const { permissions } = menu.bill

const columns = buildColumns<Gap>(listOfRows(gapFields), [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 100 },
  { key: 'itemName', width: 120 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    render: r => `${r.begin} 至 ${r.end}`,
    text: r => `${r.begin} 至 ${r.end}`,
  },
  'amount',
  { key: 'periodAfter', width: 100 },
  { key: 'cause', grow: 3, width: 240 },
  { key: 'refusal', width: 120, hidePriority: 1 },
])

const selectionOf = (
  rows: readonly Gap[],
  selected: ReadonlySet<string>,
  setSelected: (change: (keys: ReadonlySet<string>) => ReadonlySet<string>) => void,
): TableSelection => ({
  isSelected: key => selected.has(String(key)),
  isAllSelected: rows.length > 0 && rows.every(row => selected.has(row.key)),
  isSomeSelected: rows.some(row => selected.has(row.key)),
  disabledReason: () => undefined,
  setSelected: (indexes, isSelected) =>
    setSelected(keys => {
      const changed = new Set(indexes.flatMap(i => rows[i]?.key ?? []))
      const rest = [...keys].filter(key => !changed.has(key))
      return new Set(isSelected ? [...rest, ...changed] : rest)
    }),
})

async function billSelected(projectCode: string, chosen: readonly Gap[]): Promise<void> {
  const keys = chosen.map(gap => gap.key)
  const result = await sendAndInvalidate(billGaps, { projectCode, keys })
  if (result.skipped) {
    toastResult(result, '')
  } else {
    toast.success(`已补出 ${formatCount(result.made)} 张账单，合计 ${displayYuanWithSymbol(result.amount)}`)
  }
}

const waiveSelected = (projectCode: string, chosen: readonly Gap[]): Promise<boolean> =>
  confirmAndSend(markGaps, {
    actionLabel: '不再收取',
    unit: '个账期',
    count: chosen.length,
    affectedSums: [['涉及金额', displayYuan(sumFen(chosen.map(gap => gap.amount)))]],
    consequences: ['这些账期以后出账时不再列出，也不再列在漏账检查中'],
    reason: { presets: ['已协商免收', '房屋空置', '重复出账'] },
    input: { projectCode, keys: chosen.map(gap => gap.key), periodAfter: 'waived' },
  })

/** 漏账检查 (GEN-3): periods in the middle that no bill covers, to be billed or given up. */
export default function GapsPage() {
  const project = useProject()
  const query = useCall(listGaps, { projectCode: project ?? '' }, { enabled: Boolean(project) })
  if (!project) return <StateMessage text="请先选择项目" actions={[]} />
  if (query.isPending) return <RowSkeleton rows={8} />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <GapList key={project} project={project} gaps={query.data} onDone={() => void query.refetch()} />
}

interface GapFilter {
  readonly keyword: string
  readonly itemName: string | undefined
}

const matchesFilter = (gap: Gap, { keyword, itemName }: GapFilter): boolean =>
  (!itemName || gap.itemName === itemName) &&
  (!keyword || [gap.sourceName, gap.payerName].some(text => text?.includes(keyword)))

interface FilterBarProps {
  readonly gaps: readonly Gap[]
  readonly filter: GapFilter
  readonly setFilter: (filter: GapFilter) => void
}

function FilterBar({ gaps, filter, setFilter }: FilterBarProps) {
  const itemNames = [...new Set(gaps.map(gap => gap.itemName))].toSorted((a, b) => a.localeCompare(b, 'zh'))
  return (
    <div className="bar">
      <Input
        allowClear={allowClear}
        prefix={<SearchOutlined />}
        placeholder="收费对象、缴费人"
        aria-label="搜索"
        value={filter.keyword}
        onChange={e => setFilter({ ...filter, keyword: e.target.value.trim() })}
      />
      <Select
        allowClear={allowClear}
        placeholder="收费项目"
        aria-label="收费项目"
        value={filter.itemName}
        onChange={itemName => setFilter({ ...filter, itemName })}
        style={{ width: 150 }}
        options={itemNames.map(name => ({ value: name, label: name }))}
      />
    </div>
  )
}

interface GapListProps {
  readonly project: string
  readonly gaps: readonly Gap[]
  readonly onDone: () => void
}

function GapList({ project, gaps, onDone }: GapListProps) {
  const hasPermission = usePermission()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [filter, setFilter] = useState<GapFilter>({ keyword: '', itemName: undefined })
  const shown = gaps.filter(gap => matchesFilter(gap, filter))
  const chosen = shown.filter(gap => selected.has(gap.key))
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await action()
      setSelected(new Set())
      onDone()
    } finally {
      setBusy(false)
    }
  }
  const noneChosen = chosen.length ? undefined : '请先勾选账期'
  return (
    <div className="wizard">
      <header className="wizard-head">
        <h1>漏账检查</h1>
      </header>
      <section className="wizard-rows whole">
        {gaps.length > 0 && <FilterBar gaps={gaps} filter={filter} setFilter={setFilter} />}
        <div className="table">
          <DataTable<Gap>
            rows={shown}
            columns={columns}
            keyOf={row => row.key}
            label="漏账"
            dense
            selection={selectionOf(shown, selected, setSelected)}
            placeholder={
              shown.length ? undefined : (
                <StateMessage text={gaps.length ? '无符合筛选的账期' : '暂无漏账'} actions={[]} />
              )
            }
          />
        </div>
        <p className="foot">计费截至之前、没有有效账单的账期；标记重新出账的在夜间自动出账</p>
      </section>
      <footer className="wizard-foot">
        <span>
          勾选 <b className="figure">{formatCount(chosen.length)}</b> 个账期，合计{' '}
          <b className="figure">{displayYuanWithSymbol(sumFen(chosen.map(gap => gap.amount)))}</b>
        </span>
        <span className="spring" />
        {hasPermission(permissions.abolish) && (
          <Button
            disabled={!chosen.length || busy}
            title={noneChosen}
            onClick={() => void run(() => waiveSelected(project, chosen))}
          >
            标记不再收取
          </Button>
        )}
        {hasPermission(permissions.generate) && (
          <Button
            type="primary"
            loading={busy}
            disabled={!chosen.length}
            title={noneChosen}
            onClick={() => void run(() => billSelected(project, chosen))}
          >
            出账
          </Button>
        )}
      </footer>
    </div>
  )
}

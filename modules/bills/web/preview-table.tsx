import { Button, Checkbox, Input, Select } from 'antd'
import { DownloadOutlined, SearchOutlined } from '@ant-design/icons'
import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { StateMessage } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { listBuildings } from '#modules/estates/contract/building.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import type { RunPreview, PreviewRow } from '../contract/run.ts'
import {
  gapColumns,
  madeColumns,
  skippedColumns,
  type PreviewTab,
  type PreviewTableRow,
} from './preview-rows.tsx'
import { skipFixes } from './skip-fixes.ts'
import type { PreviewState } from './use-preview.ts'

interface TableProps {
  readonly preview: RunPreview
  readonly state: PreviewState
  readonly projectCode: string
  readonly saving: boolean
  readonly onExport: (group: 'make' | 'skip', reason?: PreviewRow['reason']) => void
}

/** The rows of the chosen group, with search, filters and export. */
export function PreviewTable(props: TableProps) {
  const { preview, state } = props
  const { tab } = state.filter
  return (
    <section className="wizard-rows">
      <FilterBar {...props} />
      <div className="table">
        <RowsTable state={state} />
      </div>
      <p className="foot">
        {`共 ${formatCount(state.shown.length)} 条`}
        {tab === 'make' && ' · 取消勾选即排除，同一收费关联的各期一起排除'}
        {preview.truncated && '；条数过多，只列出前 20,000 条，合计是全部的'}
      </p>
    </section>
  )
}

function FilterBar({ preview, state, projectCode, saving, onExport }: TableProps) {
  const { rows, filter, changeFilter } = state
  const { tab } = filter
  const itemNames = useMemo(
    () => [...new Set(rows.map(r => r.itemName))].toSorted((a, b) => a.localeCompare(b, 'zh')),
    [rows],
  )
  const buildCodes = useMemo(() => [...new Set(rows.flatMap(r => r.buildCode ?? []))], [rows])
  const buildings = useCall(listBuildings, { projectCode, size: 500 }, { quiet: true })
  const buildingNames = new Map(buildings.data?.rows.map(b => [b.code, b.name]))
  return (
    <div className="bar">
      <Input
        allowClear={allowClear}
        prefix={<SearchOutlined />}
        placeholder="房号、车位、缴费人"
        aria-label="搜索"
        value={filter.keyword}
        onChange={e => changeFilter({ keyword: e.target.value.trim() })}
      />
      <Select
        allowClear={allowClear}
        placeholder="收费项目"
        aria-label="收费项目"
        value={filter.itemName}
        onChange={itemName => changeFilter({ itemName })}
        style={{ width: 150 }}
        options={itemNames.map(name => ({ value: name, label: name }))}
      />
      {buildCodes.length > 1 && (
        <Select
          allowClear={allowClear}
          placeholder="楼栋"
          aria-label="楼栋"
          value={filter.buildCode}
          onChange={buildCode => changeFilter({ buildCode })}
          style={{ width: 120 }}
          showSearch={{ optionFilterProp: 'label' }}
          options={buildCodes.map(code => ({ value: code, label: buildingNames.get(code) ?? code }))}
        />
      )}
      {tab === 'make' && (
        <Checkbox
          checked={filter.onlyWarnings}
          onChange={e => changeFilter({ onlyWarnings: e.target.checked })}
        >
          只看有提醒的
        </Checkbox>
      )}
      {filter.skipReason && (
        <button type="button" className="linkish" onClick={() => changeFilter({ skipReason: undefined })}>
          只看“{labelOf(skipReason, filter.skipReason)}” ✕
        </button>
      )}
      <span className="spring" />
      {(tab === 'make' || tab === 'skip') && (
        <Button
          icon={<DownloadOutlined />}
          loading={saving}
          disabled={!(tab === 'make' ? preview.make.count : preview.skip)}
          onClick={() => onExport(tab, tab === 'skip' ? filter.skipReason : undefined)}
        >
          {tab === 'make' ? '导出预览' : '导出跳过'}
        </Button>
      )}
    </div>
  )
}

const emptyTexts: Readonly<Record<PreviewTab, string>> = {
  make: '暂无可生成的账单',
  gap: '中间没有未出账的期间',
  skip: '暂无跳过项',
  warn: '暂无需要核对的账单',
  excluded: '暂无排除的对象',
}

const fixAction = (row: PreviewTableRow) => {
  const fix = row.reason && skipFixes[row.reason]
  return fix ? (
    <button type="button" className="linkish" onClick={() => navigateTo(fix.to(row))}>
      {fix.words}
    </button>
  ) : null
}

function RowsTable({ state }: { readonly state: PreviewState }) {
  const { shown, selection, excludedHere } = state
  const { tab } = state.filter
  const showsSkipped = tab === 'skip' || (tab === 'excluded' && !excludedHere.length)
  return (
    <DataTable<PreviewTableRow>
      rows={shown}
      columns={tab === 'gap' ? gapColumns : showsSkipped ? skippedColumns : madeColumns}
      keyOf={r => r.key}
      label="账单预览"
      dense
      isStruckOut={r => r.out}
      {...(tab === 'skip' ? { actions: fixAction, actionsWidth: 76 } : { selection })}
      placeholder={shown.length ? undefined : <StateMessage text={emptyTexts[tab]} actions={[]} />}
    />
  )
}

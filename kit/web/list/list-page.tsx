import { DownloadOutlined } from '@ant-design/icons'
import type { InputRef } from 'antd'
import { useRef, useState } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { isStruckOut } from '#kit/contract/field.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { formatCount } from '../numbers.tsx'
import { Paginator } from '../paginator.tsx'
import { usePermission } from '../session.ts'
import { DataTable, type RowKey } from '../table/data-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { listPlaceholder } from './list-placeholder.tsx'
import type { ListProps } from './list-props.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { useListTotals } from './use-list-totals.tsx'
import { useList } from './use-list.ts'
import { useRowActions } from './use-row-actions.tsx'
import { useRowNavigation } from './use-row-navigation.ts'
import { useRowSelection } from './use-row-selection.ts'
import { useElementWidth } from './use-size.ts'
import './list.css'

export type { ListProps } from './list-props.ts'

// A lazy component loses its type parameters: the cast gives them back.
const OpenedRow = lazyComponent(() =>
  import('./opened-row.tsx').then(m => m.OpenedRow as never),
) as typeof import('./opened-row.tsx').OpenedRow

const TransferDialog = lazyComponent(() =>
  import('./transfer-dialog.tsx').then(m => m.TransferDialog as never),
) as typeof import('./transfer-dialog.tsx').TransferDialog

const BatchBar = lazyComponent(
  () => import('./batch-bar.tsx').then(m => m.BatchBar as never),
  <div className="toolbar batch" />,
) as typeof import('./batch-bar.tsx').BatchBar

const idOf = (row: unknown): RowKey => (row as { id: RowKey }).id

/** The list screen: bands of fixed height, only the rows scroll. */
export function ListPage<I, T>(props: ListProps<I, T>) {
  const { itemName, keyOf = idOf } = props
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const keywordInput = useRef<InputRef>(null)
  const hasPermission = usePermission()
  const width = useElementWidth(root)
  const [hiddenKeys, setHiddenKeys] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<'import' | 'export'>()
  const primary =
    props.primaryAction && hasPermission(props.primaryAction.needs) ? props.primaryAction : undefined
  const canImport = props.import !== undefined && hasPermission(props.import.post.needs as Permission)
  const list = useList(props)
  const selection = useRowSelection(props, list, keyOf)
  const shownTotals = useListTotals(props, list, selection.selected)
  const navigation = useRowNavigation({
    props,
    list,
    selection,
    keyOf,
    scroller,
    keywordInput,
    primary,
  })
  const { answer, rows, knownTotal: total, state, actions } = list
  const { drawActions, actionsWidth } = useRowActions(props.rowActions, rows)
  const onImport = canImport ? () => setDialog('import') : undefined
  const openExport = () => setDialog('export')
  return (
    <div ref={root} className={`list-page${props.embedded ? ' embedded' : ''}`}>
      {selection.selected.count > 0 ? (
        <SelectionBar selection={selection} total={total} width={width} onExport={openExport} />
      ) : (
        <ListToolbar
          props={props}
          list={list}
          primary={primary}
          hiddenKeys={hiddenKeys}
          hasTotals={shownTotals.hasTotals}
          onImport={onImport}
          onExport={selection.canExport ? openExport : undefined}
        />
      )}
      {props.belowToolbar}
      {(list.filters.length > 0 || list.keywordPlaceholder) && (
        <FilterBar
          filters={list.filters}
          inBar={list.barFilters}
          value={state.filter}
          keyword={state.keyword}
          keywordPlaceholder={list.keywordPlaceholder || undefined}
          width={width - 32}
          changed={list.isChanged}
          onFilter={actions.setFilter}
          onKeyword={actions.setKeyword}
          onReset={actions.resetToView}
          box={keywordInput}
        />
      )}
      <div className="list-body">
        {props.sidePanel}
        <div className="list-sheet">
          <LoadState list={list} />
          <DataTable
            rows={rows}
            columns={list.shownColumns}
            keyOf={keyOf}
            label={itemName}
            pinned={list.pinned}
            order={list.order}
            onOrder={actions.setOrder}
            selection={selection.tableSelection}
            totals={shownTotals.totals}
            reservedWidths={shownTotals.reservedWidths}
            actions={drawActions}
            actionsWidth={actionsWidth}
            isDimmed={props.isDimmed}
            isStruckOut={row => isStruckOut(props.list.output.fields, row)}
            onOpen={props.drawer ? navigation.open : undefined}
            opened={navigation.opened}
            current={navigation.cursor}
            onCurrent={navigation.setCursor}
            onKey={navigation.onKey}
            busy={answer.isPlaceholderData}
            placeholder={listPlaceholder(list, itemName, primary, onImport)}
            scroller={scroller}
            onColumnsHidden={setHiddenKeys}
          />
        </div>
      </div>
      <Paginator
        total={total}
        counting={shownTotals.counting}
        onRetry={list.retryTotals}
        page={state.page}
        size={list.size}
        sizes={list.sizes}
        onChange={actions.goToPage}
      />
      {props.drawer && list.rows[navigation.openedIndex] !== undefined && (
        <OpenedRow props={props} list={list} navigation={navigation} />
      )}
      {dialog && (
        <TransferDialog
          kind={dialog}
          props={props}
          list={list}
          ids={selection.selected.ids}
          hiddenKeys={hiddenKeys}
          onClose={() => setDialog(undefined)}
        />
      )}
      <Announcement list={list} />
    </div>
  )
}

/** What is read aloud of a page that has come. */
function Announcement<I, T>({ list }: { readonly list: ReturnType<typeof useList<I, T>> }) {
  const { answer, page, knownTotal, state } = list
  const isComplete = page && !answer.isFetching && knownTotal !== undefined
  return (
    <div className="aloud" role="status" aria-live="polite">
      {isComplete ? `共 ${formatCount(knownTotal)} 条，第 ${state.page} 页` : ''}
    </div>
  )
}

/** In place of the toolbar while rows are selected. */
function SelectionBar<I, T>({
  selection,
  total,
  width,
  onExport,
}: {
  readonly selection: ReturnType<typeof useRowSelection<I, T>>
  readonly total: number | undefined
  readonly width: number
  readonly onExport: () => void
}) {
  const { batchActions, canExport } = selection
  const exportSelected = {
    label: '导出所选',
    icon: <DownloadOutlined />,
    acceptsAllMatching: true,
    run: onExport,
  }
  return (
    <BatchBar
      batch={canExport ? [...batchActions, exportSelected] : batchActions}
      selected={selection.selected}
      total={total}
      width={width}
      onSelectAll={selection.selectAllMatching}
      onClear={selection.clear}
      fetchSelected={selection.fetchAllMatching}
    />
  )
}

/** The bar while a page is read again, and the line that says that this failed and older rows are shown. */
function LoadState<I, T>({ list }: { readonly list: ReturnType<typeof useList<I, T>> }) {
  const { answer, page } = list
  return (
    <>
      {answer.isFetching && !answer.isPending && (
        <div className="loading-bar" role="progressbar" aria-label="正在加载" />
      )}
      {answer.isError && page && (
        <div className="list-error" role="alert">
          {answer.error.message || '加载失败'}，显示的是之前的数据{' '}
          <button type="button" className="linkish" onClick={list.reload}>
            重试
          </button>
        </div>
      )}
    </>
  )
}

import { Button, type InputRef } from 'antd'
import { DownloadOutlined, ImportOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { useMemo, useRef, useState } from 'react'
import { formatCount } from '../numbers.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { measureText } from '../cell-renderers.tsx'
import { Paginator } from '../paginator.tsx'
import { usePermission, useSession } from '../session.ts'
import { DataTable, type RowKey } from '../table/data-table.tsx'
import { RowActions, ActionButton, useAllowedActions, type Action } from '../action.tsx'
import { BatchBar } from './batch-bar.tsx'
import { ColumnSettings } from './column-settings.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { ListProps } from './list-props.ts'
import { RowSkeleton, StateMessage, ErrorState } from './list-states.tsx'
import { useList } from './use-list.ts'
import { useRowSelection } from './use-row-selection.ts'
import { useRowNavigation } from './use-row-navigation.ts'
import { ListViews } from './list-views.tsx'
import { useElementWidth } from './use-size.ts'
import './list.css'

export type { ListProps } from './list-props.ts'

const DetailDrawer = lazyComponent(() =>
  import('../detail/detail-drawer.tsx').then(m => m.DetailDrawer as never),
) as typeof import('../detail/detail-drawer.tsx').DetailDrawer

const ImportDialog = lazyComponent(() => import('../transfer/import-dialog.tsx').then(m => m.ImportDialog))

const ExportDialog = lazyComponent(() =>
  import('../transfer/export-dialog.tsx').then(m => m.ExportDialog as never),
) as typeof import('../transfer/export-dialog.tsx').ExportDialog

const idOf = (row: unknown): RowKey => (row as { id: RowKey }).id

/** Room for the verb that stands open in a row and its ⋯. */
const actionsWidthOf = (verbs: readonly Action[]): number => {
  const open = verbs.find(v => !v.danger)
  return (open ? measureText(open.label) + 6 : 0) + (verbs.length > 1 || !open ? 32 : 0) + 14
}

/** The list screen (screens.md §4): bands of fixed height, only the rows scroll. */
export function ListPage<I, T>(p: ListProps<I, T>) {
  const { list, itemName, keyOf = idOf } = p
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const box = useRef<InputRef>(null)
  const may = usePermission()
  const rights = useSession(s => s.rights)
  const verbsFor = useAllowedActions()
  const width = useElementWidth(root)
  const [dropped, setDropped] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<'import' | 'export'>()
  const primary = p.primaryAction && may(p.primaryAction.needs) ? p.primaryAction : undefined
  const mayImport = p.import !== undefined && may(p.import.post.needs as never)
  const l = useList(p)
  const t = useRowSelection(p, l, keyOf)
  const w = useRowNavigation({ props: p, list: l, ticks: t, keyOf, scroller, box, primary })
  const { answer, page, rows, total, q, hands } = l
  const refresh = (): void => void answer.refetch()
  const openRow = rows[w.openedIndex]

  const actions = useMemo(
    () => p.rowActions && ((row: T) => <RowActions actions={verbsFor(p.rowActions!(row))} />),
    [p.rowActions, rights],
  )
  const actionsWidth = useMemo(
    () =>
      Math.max(
        76,
        ...(p.rowActions ? rows.slice(0, 60).map(r => actionsWidthOf(verbsFor(p.rowActions!(r)))) : []),
      ),
    [rows, p.rowActions, rights],
  )

  // A view as it stands is nobody's filter: nothing to be cleared.
  const empty =
    l.bare || !l.changed ? (
      <StateMessage
        text={l.bare ? `还没有${itemName}` : `「${l.view.name}」里没有${itemName}`}
        actions={[
          primary && { label: primary.label, run: () => void primary.run() },
          mayImport && { label: `导入${itemName}`, run: () => setDialog('import') },
        ]}
      />
    ) : (
      <StateMessage text="没有符合条件的记录" actions={[{ label: '清除筛选', run: hands.clear }]} />
    )
  const instead = answer.isPending ? (
    <RowSkeleton rows={Math.min(l.size, 24)} />
  ) : page ? (
    !rows.length && total === 0 && empty
  ) : (
    <ErrorState error={answer.error} onRetry={refresh} />
  )
  const exporting = {
    label: '导出所选',
    icon: <DownloadOutlined />,
    acceptsAllMatching: true,
    run: () => setDialog('export'),
  }
  return (
    <div ref={root} className={`list-page${p.embedded ? ' embedded' : ''}`}>
      {t.ticked.count > 0 ? (
        <BatchBar
          batch={t.mayExport ? [...t.batch, exporting] : t.batch}
          selected={t.ticked}
          total={total}
          width={width}
          onSelectAll={t.whole}
          onClear={t.clear}
          fetchSelected={t.gather}
        />
      ) : (
        <div className="toolbar" role="toolbar" aria-label="列表操作">
          <ListViews
            list={list}
            fixed={l.fixed}
            views={l.views}
            current={l.view}
            query={q}
            total={page?.total}
            width={width}
            onChoose={hands.choose}
            onSave={hands.save}
            onRemove={hands.remove}
          />
          <span className="spring" />
          {mayImport && (
            <Button icon={<ImportOutlined />} onClick={() => setDialog('import')}>
              导入
            </Button>
          )}
          {t.mayExport && (
            <Button icon={<DownloadOutlined />} onClick={() => setDialog('export')}>
              导出
            </Button>
          )}
          {verbsFor(p.toolbarActions ?? []).map(v => (
            <ActionButton key={v.label} action={v} />
          ))}
          {primary && <ActionButton action={{ icon: <PlusOutlined />, ...primary }} primary />}
          <i className="divider" />
          <Button type="text" icon={<ReloadOutlined />} aria-label="刷新" title="刷新" onClick={refresh} />
          <ColumnSettings
            all={p.columns}
            preferences={l.setup}
            onChange={hands.setup}
            hiddenKeys={dropped}
            summed={t.summed}
          />
        </div>
      )}
      {p.belowToolbar}
      {(l.filters.length > 0 || l.sought) && (
        <FilterBar
          filters={l.filters}
          inBar={l.inBar}
          value={q.filter}
          keyword={q.keyword}
          keywordPlaceholder={l.sought || undefined}
          width={width - 32}
          changed={l.changed}
          onFilter={hands.filter}
          onKeyword={hands.keyword}
          onReset={hands.reset}
          box={box}
        />
      )}
      <div className="list-body">
        {p.sidePanel}
        <div className="list-sheet">
          {answer.isFetching && !answer.isPending && (
            <div className="loading-bar" role="progressbar" aria-label="正在加载" />
          )}
          {answer.isError && page && (
            <div className="list-error" role="alert">
              {answer.error.message || '加载失败'}，显示的是之前的数据{' '}
              <button type="button" className="linkish" onClick={refresh}>
                重试
              </button>
            </div>
          )}
          <DataTable
            rows={rows}
            columns={l.shown}
            keyOf={keyOf}
            label={itemName}
            pinned={l.pinned}
            order={l.order}
            onOrder={hands.order}
            selection={t.ticks}
            totals={t.totals}
            actions={actions}
            actionsWidth={actionsWidth}
            isDimmed={p.isDimmed}
            onOpen={p.drawer ? w.open : undefined}
            opened={w.opened}
            current={w.cursor}
            onCurrent={w.setCursor}
            onKey={w.onKey}
            busy={answer.isPlaceholderData}
            placeholder={instead}
            scroller={scroller}
            onColumnsHidden={setDropped}
          />
        </div>
      </div>
      <Paginator total={total} page={q.page} size={l.size} sizes={l.sizes} onChange={hands.turn} />
      {p.drawer && openRow !== undefined && (
        <DetailDrawer
          spec={p.drawer}
          row={openRow}
          fields={list.output.fields}
          entity={list.output.entity}
          actions={verbsFor(p.drawer.actions?.(openRow) ?? p.rowActions?.(openRow) ?? [])}
          position={(q.page - 1) * l.size + w.openedIndex + 1}
          total={total}
          onStep={n => w.moveTo(w.openedIndex + n)}
          onClose={w.close}
        />
      )}
      {dialog === 'import' && p.import && (
        <ImportDialog
          spec={p.import}
          itemName={itemName}
          input={p.importInput ?? {}}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'export' && p.export && (
        <ExportDialog
          spec={p.export}
          itemName={itemName}
          columns={l.shown}
          filter={l.asked}
          total={total}
          ids={t.ticked.ids}
          onClose={() => setDialog(undefined)}
        />
      )}
      <div className="aloud" role="status" aria-live="polite">
        {page && !answer.isFetching ? `共 ${formatCount(total)} 条，第 ${q.page} 页` : ''}
      </div>
    </div>
  )
}

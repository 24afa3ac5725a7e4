import { Button, type InputRef } from 'antd'
import { DownloadOutlined, ImportOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { useMemo, useRef, useState } from 'react'
import { count } from '../figure.tsx'
import { later } from '../later.tsx'
import { advance } from '../looks.tsx'
import { Paginator } from '../paginator.tsx'
import { usePermission, useSession } from '../session.ts'
import { DataTable, type Key } from '../table/data-table.tsx'
import { RowVerbs, VerbButton, useVerbs, type Verb } from '../verb.tsx'
import { BatchBar } from './batch-bar.tsx'
import { ColumnSettings } from './column-settings.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { ListProps } from './list-props.ts'
import { Skeleton, State, Trouble } from './states.tsx'
import { useList } from './use-list.ts'
import { useTicks } from './use-ticks.ts'
import { useWalk } from './use-walk.ts'
import { Views } from './views.tsx'
import { useBox } from './window.ts'
import './list.css'

export type { ListProps } from './list-props.ts'

const DetailDrawer = later(() =>
  import('../detail/detail-drawer.tsx').then(m => m.DetailDrawer as never),
) as typeof import('../detail/detail-drawer.tsx').DetailDrawer

const ImportDialog = later(() => import('../transfer/import-dialog.tsx').then(m => m.ImportDialog))

const ExportDialog = later(() =>
  import('../transfer/export-dialog.tsx').then(m => m.ExportDialog as never),
) as typeof import('../transfer/export-dialog.tsx').ExportDialog

const idOf = (row: unknown): Key => (row as { id: Key }).id

/** Room for the verb that stands open in a row and its ⋯. */
const roomFor = (verbs: readonly Verb[]): number => {
  const open = verbs.find(v => !v.danger)
  return (open ? advance(open.label) + 6 : 0) + (verbs.length > 1 || !open ? 32 : 0) + 14
}

/** The list screen (screens.md §4): bands of fixed height, only the rows scroll. */
export function ListPage<I, T>(p: ListProps<I, T>) {
  const { list, what, keyOf = idOf } = p
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const box = useRef<InputRef>(null)
  const may = usePermission()
  const rights = useSession(s => s.rights)
  const verbsFor = useVerbs()
  const width = useBox(root)
  const [dropped, setDropped] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<'import' | 'export'>()
  const primary = p.primary && may(p.primary.may) ? p.primary : undefined
  const mayImport = p.import !== undefined && may(p.import.post.needs as never)
  const l = useList(p)
  const t = useTicks(p, l, keyOf)
  const w = useWalk({ props: p, list: l, ticks: t, keyOf, scroller, box, primary })
  const { answer, page, rows, total, q, hands } = l
  const refresh = (): void => void answer.refetch()
  const openRow = rows[w.openAt]

  const actions = useMemo(
    () => p.row && ((row: T) => <RowVerbs verbs={verbsFor(p.row!(row))} />),
    [p.row, rights],
  )
  const actionsWidth = useMemo(
    () => Math.max(76, ...(p.row ? rows.slice(0, 60).map(r => roomFor(verbsFor(p.row!(r)))) : [])),
    [rows, p.row, rights],
  )

  // A view as it stands is nobody's filter: nothing to be cleared.
  const empty =
    l.bare || !l.changed ? (
      <State
        words={l.bare ? `还没有${what}` : `「${l.view.name}」里没有${what}`}
        deeds={[
          primary && { label: primary.label, run: () => void primary.run() },
          mayImport && { label: `导入${what}`, run: () => setDialog('import') },
        ]}
      />
    ) : (
      <State words="没有符合条件的记录" deeds={[{ label: '清除筛选', run: hands.clear }]} />
    )
  const instead = answer.isPending ? (
    <Skeleton rows={Math.min(l.size, 24)} />
  ) : page ? (
    !rows.length && total === 0 && empty
  ) : (
    <Trouble error={answer.error} retry={refresh} />
  )
  const exporting = {
    label: '导出所选',
    icon: <DownloadOutlined />,
    whole: true,
    run: () => setDialog('export'),
  }
  return (
    <div ref={root} className={`list-page${p.embedded ? ' embedded' : ''}`}>
      {t.ticked.count > 0 ? (
        <BatchBar
          batch={t.mayExport ? [...t.batch, exporting] : t.batch}
          ticked={t.ticked}
          total={total}
          width={width}
          onWhole={t.whole}
          onClear={t.clear}
          gather={t.gather}
        />
      ) : (
        <div className="toolbar" role="toolbar" aria-label="列表操作">
          <Views
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
          {verbsFor(p.tools ?? []).map(v => (
            <VerbButton key={v.label} verb={v} />
          ))}
          {primary && <VerbButton verb={{ icon: <PlusOutlined />, ...primary }} primary />}
          <i className="divider" />
          <Button type="text" icon={<ReloadOutlined />} aria-label="刷新" title="刷新" onClick={refresh} />
          <ColumnSettings
            all={p.columns}
            setup={l.setup}
            onChange={hands.setup}
            dropped={dropped}
            summed={t.summed}
          />
        </div>
      )}
      {p.above}
      {(l.filters.length > 0 || l.sought) && (
        <FilterBar
          filters={l.filters}
          inBar={l.inBar}
          value={q.filter}
          keyword={q.keyword}
          sought={l.sought || undefined}
          width={width - 32}
          changed={l.changed}
          onFilter={hands.filter}
          onKeyword={hands.keyword}
          onReset={hands.reset}
          box={box}
        />
      )}
      <div className="list-body">
        {p.beside}
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
            label={what}
            pinned={l.pinned}
            order={l.order}
            onOrder={hands.order}
            ticks={t.ticks}
            totals={t.totals}
            actions={actions}
            actionsWidth={actionsWidth}
            dim={p.dim}
            onOpen={p.drawer ? w.open : undefined}
            opened={w.opened}
            current={w.cursor}
            onCurrent={w.setCursor}
            onKey={w.onKey}
            busy={answer.isPlaceholderData}
            instead={instead}
            scroller={scroller}
            onDropped={setDropped}
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
          verbs={verbsFor(p.drawer.verbs?.(openRow) ?? p.row?.(openRow) ?? [])}
          at={(q.page - 1) * l.size + w.openAt + 1}
          total={total}
          onStep={n => w.walk(w.openAt + n)}
          onClose={w.close}
        />
      )}
      {dialog === 'import' && p.import && (
        <ImportDialog
          of={p.import}
          what={what}
          given={p.importGiven ?? {}}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'export' && p.export && (
        <ExportDialog
          of={p.export}
          what={what}
          shown={l.shown}
          asked={l.asked}
          total={total}
          ids={t.ticked.ids}
          onClose={() => setDialog(undefined)}
        />
      )}
      <div className="aloud" role="status" aria-live="polite">
        {page && !answer.isFetching ? `共 ${count(total)} 条，第 ${q.page} 页` : ''}
      </div>
    </div>
  )
}

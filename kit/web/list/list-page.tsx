import { Button, type InputRef } from 'antd'
import { DownloadOutlined, ImportOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { pathOf, type Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { Export, Import } from '#kit/contract/transfer.ts'
import type { Column } from '../columns.tsx'
import type { DrawerSpec } from '../detail/detail-drawer.tsx'
import { count } from '../figure.tsx'
import { filtering, type Asked } from '../filters/kinds.tsx'
import { later } from '../later.tsx'
import { advance } from '../looks.tsx'
import { Paginator, baseSize, sizesOf } from '../paginator.tsx'
import { useCall } from '../query.ts'
import { send } from '../send.ts'
import { usePermission, useSession } from '../session.ts'
import { useSetup } from '../setup.ts'
import { useStable } from '../stable.ts'
import { DataTable, type Key, type Order, type Ticks, type Total } from '../table/data-table.tsx'
import { RowVerbs, VerbButton, useVerbs, type Verb, type Verbs } from '../verb.tsx'
import { BatchBar, type Batch } from './batch-bar.tsx'
import { ColumnSettings, isShown, noSetup, ordered, type ColumnSetup } from './column-settings.tsx'
import { FilterBar, type Filter } from './filter-bar.tsx'
import { useListKeys } from './list-keys.ts'
import { useQueryState } from './query.ts'
import { mostTicked, sumText, sumsOf, useSelection, type Ticked } from './selection.ts'
import { Skeleton, State, Trouble } from './states.tsx'
import { Views, differs, type View } from './views.tsx'
import { useBox, useWindowHeight } from './window.ts'
import './list.css'

const DetailDrawer = later(() => import('../detail/detail-drawer.tsx').then(m => m.DetailDrawer as never)) as typeof import('../detail/detail-drawer.tsx').DetailDrawer
const ImportDialog = later(() => import('../transfer/import-dialog.tsx').then(m => m.ImportDialog))
const ExportDialog = later(() => import('../transfer/export-dialog.tsx').then(m => m.ExportDialog as never)) as typeof import('../transfer/export-dialog.tsx').ExportDialog

export interface ListProps<I, T> {
  readonly list: Call<I, Page<T>>
  readonly columns: readonly Column<T>[]
  /** What a row is called: `还没有房间`. */
  readonly what: string
  /** Members of the search that are always asked and never shown. */
  readonly fixed?: Partial<I>
  /** Keys of the filters in order; all of the search otherwise. */
  readonly filters?: readonly string[]
  /** The two to four most used ones. */
  readonly bar?: readonly string[]
  readonly views?: readonly Omit<View, 'own'>[]
  /** The one primary verb (N). */
  readonly primary?: Verb | false | undefined
  readonly tools?: Verbs
  readonly row?: (row: T) => Verbs
  readonly batch?: readonly (Batch<T, I> | false | undefined)[]
  /** Why a row cannot be ticked (支付中). */
  readonly untickable?: (row: T) => string | undefined
  /** Voided rows. */
  readonly dim?: (row: T) => boolean
  readonly drawer?: DrawerSpec<T>
  readonly import?: Import<any> | undefined
  /** What the import must be told besides the file. */
  readonly importGiven?: Readonly<Record<string, unknown>>
  readonly export?: Export<I> | undefined
  readonly keyOf?: (row: T) => Key
  /** Inside a detail or a dialog: no address, no window height; `size` rows a page (10). */
  readonly embedded?: boolean
  readonly size?: number
  /** Settings are kept under it; the path of the list otherwise. */
  readonly name?: string
  /** Between toolbar and filters: a scope line of the screen's own. */
  readonly above?: ReactNode
  /** Beside the sheet, instead of a drawer (a tree at the left). */
  readonly beside?: ReactNode
}
interface Kept { readonly columns: ColumnSetup; readonly views: readonly View[]; readonly factor?: number }
const nothingKept: Kept = { columns: noSetup, views: [] }
const idOf = (row: unknown): Key => (row as { id: Key }).id
const choosing = new Set(['choice', 'choices', 'ref', 'flag'])

/** The list screen (screens.md §4): bands of fixed height, only the rows scroll. */
export function ListPage<I, T>(p: ListProps<I, T>) {
  const { list, keyOf = idOf, embedded = false } = p, fixed = (p.fixed ?? {}) as Asked
  const may = usePermission(), verbsFor = useVerbs(), root = useRef<HTMLDivElement>(null), scroller = useRef<HTMLDivElement>(null), box = useRef<InputRef>(null)
  const width = useBox(root), height = useWindowHeight(), project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const [q, setQ] = useQueryState(list, embedded), [kept, setKept] = useSetup<Kept>(`list/${p.name ?? pathOf(list)}`, nothingKept)
  const [cursor, setCursor] = useState<number>(), [opened, setOpened] = useState<Key>(), [dropped, setDropped] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<'import' | 'export'>()

  const views = useMemo<View[]>(() => { const own = kept.views.map(v => ({ ...v, own: true })); const given = p.views?.length ? p.views : [{ id: '', name: `全部${p.what}`, filter: {} }]; return [...given, ...own] }, [kept.views, p.views, p.what])
  const view = views.find(v => v.id === (q.view ?? views[0]!.id)) ?? views[0]!
  // The first view's conditions stand in an address that says nothing.
  const blank = !q.view && !q.keyword && !q.order && Object.keys(q.filter).length === 0, filter = blank ? view.filter : q.filter
  const base = baseSize(height), sizes = embedded ? [10, 20, 50, 100] : sizesOf(base), size = q.size ?? (embedded ? p.size ?? 10 : Math.min(2000, Math.round(base * (kept.factor ?? 1.5))))
  const sizesKept = useMemo(() => sizes, [sizes.join()])
  const asked = { ...fixed, ...filter, ...(q.keyword ? { keyword: q.keyword } : {}), ...(q.order ? { order: q.order } : {}) } as I
  const answer = useCall(list, { ...asked, page: q.page, size } as I, { keep: true, quiet: true })
  const page = answer.data, rows = page?.rows ?? none as readonly T[], total = page?.total ?? 0
  useEffect(() => { if (page && !answer.isPlaceholderData && q.page > 1 && !page.rows.length) setQ({ page: Math.max(1, Math.ceil(page.total / size)) }) }, [page])
  useEffect(() => { setCursor(undefined); if (scroller.current) scroller.current.scrollTop = 0 }, [q.page, size])

  const { order: _order, ...scopeOf } = asked as Asked, selection = useSelection<T>(keyOf, JSON.stringify([scopeOf, project]))
  const batch = (p.batch ?? []).filter((b): b is Batch<T, I> => !!b && may(b.may)), ticking = batch.length > 0 || (p.export !== undefined && may(p.export.get.needs as never))
  const summed = (list.output.sums ?? []).filter(k => p.columns.some(c => c.key === k)), sum = page?.sum ?? {}
  const picked = useMemo(() => [...selection.picked.values()], [selection.picked])
  const ticked: Ticked<T, I> = { count: selection.whole ? total : picked.length, ids: selection.whole ? [] : picked.map(r => String(keyOf(r))), rows: picked, whole: selection.whole ? { filter: asked, count: total, sum } : undefined }
  const gather = async (): Promise<Ticked<T, I>> => { const all = await send(list, { ...asked, page: 1, size: mostTicked } as I); return { count: all.rows.length, ids: all.rows.map(r => String(keyOf(r))), rows: all.rows, whole: undefined } }
  const why = p.untickable && ((i: number) => (rows[i] === undefined ? undefined : p.untickable!(rows[i]))), free = (r: T): boolean => !p.untickable?.(r)
  const ticks: Ticks | undefined = ticking ? {
    has: k => selection.whole || selection.picked.has(k), why,
    all: rows.some(free) && (selection.whole || rows.filter(free).every(r => selection.picked.has(keyOf(r)))), some: rows.some(r => selection.picked.has(keyOf(r))),
    set: (at, on) => { const some = at.filter(i => i < rows.length).map(i => rows[i] as T).filter(free); if (selection.whole && !on) selection.set(rows.filter(r => free(r) && !some.includes(r)), true); else selection.set(some, on) },
  } : undefined

  const setup = view.columns ?? kept.columns, setSetup = (columns: ColumnSetup): void => setKept(view.own ? { ...kept, views: kept.views.map(v => (v.id === view.id ? { ...v, columns } : v)) } : { ...kept, columns })
  const shown = useMemo(() => ordered(p.columns, setup).filter(c => isShown(c, setup)), [p.columns, setup])
  const pinned = useMemo(() => new Set(setup.pinned ?? p.columns.filter(c => c.identity).map(c => c.key)), [p.columns, setup.pinned])
  const cellsOf = (s: Readonly<Record<string, number | string>>): Record<string, string> => Object.fromEntries(summed.map(k => [k, sumText(list.output.fields[k], s[k])]))
  const totals: Total[] = summed.length && (setup.totals ?? true) && page ? [
    ticked.count && !selection.whole ? { words: `已选 ${count(ticked.count)} 条`, cells: cellsOf(sumsOf(list.output.fields, summed, picked)), on: true } : { words: `本页 ${rows.length} 条`, cells: cellsOf(sumsOf(list.output.fields, summed, rows)) },
    { words: `全部 ${count(total)} 条（按当前筛选）`, cells: cellsOf(sum), on: selection.whole },
  ] : []

  const names = p.filters ?? list.input.filters ?? [], filters = useMemo(() => names.flatMap((name): Filter[] => { const field = list.output.fields[name] ?? list.input.fields[name]; return field && filtering[field.kind].keys(name).length ? [{ name, field }] : [] }), [list, names.join()])
  const inBar = useMemo(() => p.bar ?? filters.filter(f => choosing.has(f.field.kind)).slice(0, 3).map(f => f.name), [p.bar?.join(), filters])
  const sought = list.input.fields.keyword ? Object.values(list.output.fields).filter(f => f.sought).map(f => f.label.replace(/^项目/, '')).filter((l, i, a) => a.indexOf(l) === i).slice(0, 4).join('、') : ''
  const changed = differs({ ...q, filter }, { ...view, columns: undefined }), reset = (): void => setQ({ filter: view.filter, keyword: view.keyword ?? '', order: view.order })
  const setFilter = (patch: Asked): void => setQ({ filter: Object.fromEntries(Object.entries({ ...filter, ...patch }).filter(([, v]) => v !== undefined)), ...(blank ? { view: view.id || undefined } : {}) })
  const order: Order | undefined = q.order ? { key: q.order.replace(/^-/, ''), down: q.order.startsWith('-') } : undefined

  const openAt = rows.findIndex(r => keyOf(r) === opened), openRow = rows[openAt]
  const wanted = useRef<'first' | 'last'>(undefined)
  useEffect(() => { if (!wanted.current || answer.isPlaceholderData || !rows.length) return; const i = wanted.current === 'first' ? 0 : rows.length - 1; wanted.current = undefined; setCursor(i); if (opened !== undefined) setOpened(keyOf(rows[i]!)) }, [rows])
  const walk = useCallback((to: number): void => {
    if (to >= 0 && to < rows.length) { setCursor(to); setOpened(o => (o === undefined ? o : keyOf(rows[to]!))); return }
    const next = to < 0 ? q.page - 1 : q.page + 1
    if (next >= 1 && next <= Math.ceil(total / size)) { wanted.current = to < 0 ? 'last' : 'first'; setQ({ page: next }) }
  }, [rows, q.page, total, size])
  const open = (i: number, how: { readonly tab: boolean }): void => { const r = rows[i]; if (r === undefined || !p.drawer) return; if (how.tab && p.drawer.page) p.drawer.page(r); else setOpened(keyOf(r)) }
  const primary = p.primary && may(p.primary.may) ? p.primary : undefined, refresh = (): void => void answer.refetch()
  const onSheetKey = useListKeys({ rows: rows.length, cursor, ticks, walk, open, setCursor, focusKeyword: () => box.current?.focus(), add: primary && !primary.why ? primary : undefined, scroller, turn: n => { const to = q.page + n; if (to >= 1 && to <= Math.ceil(total / size)) setQ({ page: to }) }, escape: () => { if (opened !== undefined) setOpened(undefined); else if (ticked.count) selection.clear() }, drawer: p.drawer !== undefined })
  const canImport = p.import && may(p.import.post.needs as never), canExport = p.export && may(p.export.get.needs as never)
  // As wide as the longest standing verb and its ⋯, so that every row has them in one place.
  const actionsWidth = useMemo(() => Math.max(76, ...(p.row ? rows.slice(0, 60).map(r => { const all = verbsFor(p.row!(r)), open = all.find(v => !v.danger); return (open ? advance(open.label) + 6 : 0) + (all.length > 1 || !open ? 32 : 0) + 14 }) : [])), [rows, p.row])
  const actions = useMemo(() => (p.row ? (row: T) => <RowVerbs verbs={verbsFor(p.row!(row))} /> : undefined), [p.row])

  const hands = useStable({
    filter: setFilter, reset, keyword: (keyword: string) => setQ({ keyword, filter }), turn: (to: number, n: number) => setQ({ page: to, size: n === size ? q.size : n }), setup: setSetup, order: (o: Order | undefined) => setQ({ order: o && `${o.down ? '-' : ''}${o.key}`, filter, keyword: q.keyword }),
    choose: (v: View) => setQ({ view: v.id || undefined, filter: v.filter, keyword: v.keyword ?? '', order: v.order }),
    save: (name: string, over?: View) => { const id = over?.id ?? `v${Date.now().toString(36)}`, made: View = { id, name, filter, keyword: q.keyword, order: q.order, columns: setup }; setKept({ ...kept, views: over ? kept.views.map(v => (v.id === id ? made : v)) : [...kept.views, made] }); setQ({ view: id, filter }) },
    remove: (v: View) => { setKept({ ...kept, views: kept.views.filter(x => x.id !== v.id) }); setQ({ view: undefined, filter: {}, keyword: '', order: undefined }) },
  })
  const bare = Object.keys(filter).length === 0 && !q.keyword
  const instead = answer.isPending ? <Skeleton rows={Math.min(size, 24)} /> : answer.isError && !page ? <Trouble error={answer.error} retry={refresh} /> : page && !rows.length && total === 0 ? (
    bare ? <State words={`还没有${p.what}`} deeds={[primary && { label: primary.label, run: () => void primary.run() }, canImport && { label: `导入${p.what}`, run: () => setDialog('import') }]} />
      : <State words="没有符合条件的记录" deeds={[{ label: '清除筛选', run: () => setQ({ filter: {}, keyword: '', view: views[0]!.id === '' ? undefined : view.id }) }]} />
  ) : undefined
  return (
    <div ref={root} className={`list-page${embedded ? ' embedded' : ''}`}>
      {ticked.count > 0 ? <BatchBar batch={[...batch, ...(canExport ? [{ label: '导出所选', icon: <DownloadOutlined />, whole: true, run: () => setDialog('export') }] : [])]} ticked={ticked} total={total} width={width} onWhole={selection.takeWhole} onClear={selection.clear} gather={gather} /> : (
        <div className="toolbar" role="toolbar" aria-label="列表操作">
          <Views list={list} fixed={fixed} views={views} current={view} query={{ ...q, filter }} total={page?.total} width={width} onChoose={hands.choose} onSave={hands.save} onRemove={hands.remove} />
          <span className="spring" />
          {canImport && <Button icon={<ImportOutlined />} onClick={() => setDialog('import')}>导入</Button>}
          {canExport && <Button icon={<DownloadOutlined />} onClick={() => setDialog('export')}>导出</Button>}
          {verbsFor(p.tools ?? []).map(v => <VerbButton key={v.label} verb={v} />)}
          {primary && <VerbButton verb={{ icon: <PlusOutlined />, ...primary }} primary />}
          <i className="divider" />
          <Button type="text" icon={<ReloadOutlined />} aria-label="刷新" title="刷新" onClick={refresh} />
          <ColumnSettings all={p.columns} setup={setup} onChange={hands.setup} dropped={dropped} summed={summed.length > 0} />
        </div>
      )}
      {p.above}
      {(filters.length > 0 || sought) && <FilterBar filters={filters} inBar={inBar} value={filter} keyword={q.keyword} sought={sought || undefined} width={width - 32} changed={changed} onFilter={hands.filter} onKeyword={hands.keyword} onReset={hands.reset} box={box} />}
      <div className="list-body">
        {p.beside}
        <div className="list-sheet">
          {answer.isFetching && !answer.isPending && <div className="loading-bar" role="progressbar" aria-label="正在加载" />}
          {answer.isError && page && <div className="list-error" role="alert">{answer.error.message || '加载失败'}，显示的是之前的数据 <button type="button" className="linkish" onClick={refresh}>重试</button></div>}
          <DataTable rows={rows} columns={shown} keyOf={keyOf} label={p.what} pinned={pinned} order={order} onOrder={hands.order} ticks={ticks} totals={totals} actions={actions} actionsWidth={actionsWidth} onOpen={p.drawer ? open : undefined} opened={opened} current={cursor} onCurrent={setCursor} dim={p.dim} busy={answer.isPlaceholderData} instead={instead} scroller={scroller} onKey={onSheetKey} onDropped={setDropped} />
        </div>
      </div>
      <Paginator total={total} page={q.page} size={size} sizes={sizesKept} onChange={hands.turn} />
      {p.drawer && openRow !== undefined && <DetailDrawer spec={p.drawer} row={openRow} fields={list.output.fields} entity={list.output.entity} verbs={verbsFor(p.drawer.verbs?.(openRow) ?? p.row?.(openRow) ?? [])} at={(q.page - 1) * size + openAt + 1} total={total} onStep={n => walk(openAt + n)} onClose={() => setOpened(undefined)} />}
      {dialog === 'import' && p.import && <ImportDialog of={p.import} what={p.what} given={p.importGiven ?? {}} onClose={() => setDialog(undefined)} />}
      {dialog === 'export' && p.export && <ExportDialog of={p.export} what={p.what} shown={shown} asked={asked} total={total} ids={ticked.ids} onClose={() => setDialog(undefined)} />}
      <div className="aloud" role="status" aria-live="polite">{page && !answer.isFetching ? `共 ${count(total)} 条，第 ${q.page} 页` : ''}</div>
    </div>
  )
}
const none: readonly never[] = []

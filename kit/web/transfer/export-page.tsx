import { Button, Checkbox } from 'antd'
import { DownloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { sheetLimits, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportCalls } from '#kit/contract/import-export.ts'
import { formatCount } from '../numbers.tsx'
import { filterKinds, type FilterValues } from '../filters/filter-kinds.tsx'
import { useListState } from '../list/list-state.ts'
import { ErrorState } from '../list/list-states.tsx'
import { useCall, useSend } from '../query.ts'
import { download } from '../send.ts'
import { useSession } from '../session.ts'
import { useSetting } from '../user-settings.ts'
import { toast } from '../toast.ts'
import '../list/list.css'
import './transfer.css'

interface ExportPageProps<I, T> {
  readonly spec: ExportCalls<I>
  readonly list: Call<I, Page<T>>
  readonly itemName: string
  /** All that may stand in the file, in its order. */
  readonly columns: readonly SheetColumn[]
  readonly filters: readonly string[]
  readonly fixedFilter?: Partial<I>
}

interface SavedColumns {
  readonly without: readonly string[]
}

const noSavedColumns: SavedColumns = { without: [] }

/**
 * The export as a page of its own: which rows, which columns, how many that makes (EXP-1). Columns left out
 * are remembered.
 */
export function ExportPage<I, T>({
  spec,
  list,
  itemName,
  columns,
  filters,
  fixedFilter,
}: ExportPageProps<I, T>) {
  const [q, setQ] = useListState(list, false)
  const [kept, setKept] = useSetting<SavedColumns>(`export/${spec.get.route}`, noSavedColumns)
  const [busy, setBusy] = useState(false)
  const start = useSend(spec.start)
  const project = useSession(s => s.project)
  const asked = { ...fixedFilter, ...q.filter, ...(q.keyword ? { keyword: q.keyword } : {}) } as I
  const answer = useCall(list, { ...asked, page: 1, size: 1 } as I, {
    quiet: true,
    keepPrevious: true,
    staleMs: 0,
  })
  const n = answer.data?.total
  const keys = columns.map(c => c.key).filter(k => !kept.without.includes(k))
  const later = (n ?? 0) > sheetLimits.directRows
  const fields = filters.flatMap(name => {
    const field = list.output.fields[name] ?? list.input.fields[name]
    return field ? [{ name, field }] : []
  })
  const setFilter = (patch: FilterValues): void =>
    setQ({
      filter: Object.fromEntries(
        Object.entries({ ...q.filter, ...patch }).filter(([, v]) => v !== undefined),
      ),
    })
  const leave = (without: readonly string[]): void => setKept({ without })
  const go = async (): Promise<void> => {
    const input = { ...asked, columns: keys, expected: n } as never
    setBusy(true)
    try {
      if (later) {
        await start.mutateAsync(input)
        toast.success(`正在后台导出 ${formatCount(n!)} 条${itemName}，完成后可在任务中心下载`)
      } else {
        toast.success(
          `已导出 ${formatCount(n!)} 条${itemName}：${await download(spec.get, input, `${itemName}.xlsx`)}`,
        )
      }
    } catch {
      /* said in a toast */
    } finally {
      setBusy(false)
      void answer.refetch()
    }
  }
  const why =
    n === undefined
      ? '正在统计'
      : n === 0
        ? '没有符合条件的数据，请调整条件'
        : !keys.length
          ? '请至少选择一列'
          : undefined
  return (
    <div className="export-page">
      <header>
        <h2>导出{itemName}</h2>
        {project && project.code !== '0' && <small>{project.name}</small>}
      </header>
      <div className="scroll">
        <section>
          <h3>导出哪些{itemName}</h3>
          <div className="export-filters">
            {fields.map(f => {
              const { Control } = filterKinds[f.field.kind]
              return (
                <div key={f.name}>
                  <label>{f.field.label}</label>
                  <Control field={f.field} name={f.name} value={q.filter} onChange={setFilter} />
                </div>
              )
            })}
          </div>
          {Object.keys(q.filter).length > 0 && (
            <button type="button" className="linkish" onClick={() => setQ({ filter: {}, keyword: '' })}>
              清除条件
            </button>
          )}
        </section>
        <section>
          <h3>
            导出哪些列{' '}
            <small>
              已选 {keys.length} / {columns.length}
            </small>{' '}
            <button type="button" className="linkish" onClick={() => leave([])}>
              全选
            </button>{' '}
            <button type="button" className="linkish" onClick={() => leave(columns.map(c => c.key))}>
              全不选
            </button>
          </h3>
          <div className="export-columns">
            {columns.map(c => (
              <Checkbox
                key={c.key}
                checked={!kept.without.includes(c.key)}
                onChange={e =>
                  leave(e.target.checked ? kept.without.filter(k => k !== c.key) : [...kept.without, c.key])
                }
              >
                {c.heading}
              </Checkbox>
            ))}
          </div>
        </section>
        {answer.isError && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      </div>
      <footer>
        <Button
          type="primary"
          icon={<DownloadOutlined />}
          loading={busy}
          disabled={why !== undefined}
          title={why}
          onClick={() => void go()}
        >
          {later ? '后台导出' : '导出'} {n === undefined ? '' : `${formatCount(n)} 条`}
        </Button>
        <span role="status">
          {why ??
            (later
              ? `超过 ${formatCount(sheetLimits.directRows)} 条，将在后台导出，完成后到任务中心下载，文件保留 ${sheetLimits.retentionDays} 天`
              : '导出会记入操作日志')}
        </span>
      </footer>
    </div>
  )
}

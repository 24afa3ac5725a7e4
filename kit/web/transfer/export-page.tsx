import { Button, Checkbox } from 'antd'
import { DownloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { sheetLimits, type SheetColumn } from '#kit/contract/sheet.ts'
import type { Export } from '#kit/contract/transfer.ts'
import { count } from '../figure.tsx'
import { filtering, type Asked } from '../filters/kinds.tsx'
import { useQueryState } from '../list/query.ts'
import { Trouble } from '../list/states.tsx'
import { useCall, useSend } from '../query.ts'
import { download } from '../send.ts'
import { useSession } from '../session.ts'
import { useSetup } from '../setup.ts'
import { toast } from '../toast.ts'
import '../list/list.css'
import './transfer.css'

interface Props<I, T> {
  readonly of: Export<I>
  readonly list: Call<I, Page<T>>
  readonly what: string
  /** All that may stand in the file, in its order. */
  readonly columns: readonly SheetColumn[]
  readonly filters: readonly string[]
  readonly fixed?: Partial<I>
}

interface Kept {
  readonly without: readonly string[]
}

const nothingKept: Kept = { without: [] }

/**
 * The export as a page of its own: which rows, which columns, how many that makes (EXP-1). Columns left out
 * are remembered.
 */
export function ExportPage<I, T>({ of, list, what, columns, filters, fixed }: Props<I, T>) {
  const [q, setQ] = useQueryState(list, false)
  const [kept, setKept] = useSetup<Kept>(`export/${of.get.at}`, nothingKept)
  const [busy, setBusy] = useState(false)
  const start = useSend(of.start)
  const project = useSession(s => s.project)
  const asked = { ...fixed, ...q.filter, ...(q.keyword ? { keyword: q.keyword } : {}) } as I
  const answer = useCall(list, { ...asked, page: 1, size: 1 } as I, { quiet: true, keep: true, fresh: 0 })
  const n = answer.data?.total
  const keys = columns.map(c => c.key).filter(k => !kept.without.includes(k))
  const later = (n ?? 0) > sheetLimits.direct
  const fields = filters.flatMap(name => {
    const field = list.output.fields[name] ?? list.input.fields[name]
    return field ? [{ name, field }] : []
  })
  const setFilter = (patch: Asked): void =>
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
        toast.success(`正在后台导出 ${count(n!)} 条${what}，完成后可在任务中心下载`)
      } else {
        toast.success(`已导出 ${count(n!)} 条${what}：${await download(of.get, input, `${what}.xlsx`)}`)
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
        <h2>导出{what}</h2>
        {project && project.code !== '0' && <small>{project.name}</small>}
      </header>
      <div className="scroll">
        <section>
          <h3>导出哪些{what}</h3>
          <div className="export-filters">
            {fields.map(f => {
              const { Control } = filtering[f.field.kind]
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
        {answer.isError && <Trouble error={answer.error} retry={() => void answer.refetch()} />}
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
          {later ? '后台导出' : '导出'} {n === undefined ? '' : `${count(n)} 条`}
        </Button>
        <span role="status">
          {why ??
            (later
              ? `超过 ${count(sheetLimits.direct)} 条，将在后台导出，完成后到任务中心下载，文件保留 ${sheetLimits.days} 天`
              : '导出会记入操作日志')}
        </span>
      </footer>
    </div>
  )
}

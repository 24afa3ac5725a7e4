import { DownloadOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import type { Call } from '#kit/contract/call.ts'
import type { ExportCalls } from '#kit/contract/import-export.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { SheetColumn } from '#kit/contract/sheet.ts'
import { filterKinds, type FilterValues } from '../filters/filter-kinds.tsx'
import type { ListFilter } from '../list/filter-bar.tsx'
import { useListState } from '../list/list-address.ts'
import { ErrorState } from '../list/list-feedback.tsx'
import { formatCount } from '../numbers.tsx'
import { useCall } from '../query.ts'
import { useSession } from '../session.ts'
import { useSetting } from '../user-settings.ts'
import { exportHint, useExport, usePersonalDataHint } from './use-export.ts'
import '../list/list.css'
import './transfer.css'

interface ExportPageProps<I, T> {
  readonly spec: ExportCalls<I>
  readonly list: Call<I, Page<T>>
  readonly itemName: string
  /** All that may be in the file, in its order. */
  readonly columns: readonly SheetColumn[]
  readonly filters: readonly string[]
  readonly fixedFilter?: Partial<I>
}

interface SavedColumns {
  readonly without: readonly string[]
}

const noSavedColumns: SavedColumns = { without: [] }

/** Why nothing can be exported now. */
function disabledReasonOf(count: number | undefined, columnCount: number): string | undefined {
  if (count === undefined) return '正在统计'
  if (count === 0) return '无符合条件的数据，请调整条件'
  return columnCount ? undefined : '请至少选择一列'
}

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
  const [state, setState] = useListState(list, false)
  const [saved, setSaved] = useSetting<SavedColumns>(`export/${spec.get.route}`, noSavedColumns)
  const project = useSession(s => s.project)
  const request = {
    ...fixedFilter,
    ...state.filter,
    ...(state.keyword ? { keyword: state.keyword } : {}),
  } as I
  const answer = useCall(
    list,
    { ...request, page: 1, size: 1 },
    {
      quiet: true,
      keepPrevious: true,
      staleMs: 0,
    },
  )
  const count = answer.data?.total
  const keys = columns.map(c => c.key).filter(k => !saved.without.includes(k))
  const { busy, inBackground, run } = useExport(spec, itemName, count ?? 0)
  const personalData = usePersonalDataHint(
    columns.flatMap(c => (saved.without.includes(c.key) ? [] : [c.field])),
  )
  const fields = filters.flatMap((name): ListFilter[] => {
    const field = list.output.fields[name] ?? list.input.fields[name]
    return field ? [{ name, field }] : []
  })
  const setFilter = (patch: FilterValues): void => {
    const values = Object.entries({ ...state.filter, ...patch }).filter(([, v]) => v !== undefined)
    setState({ filter: Object.fromEntries(values) })
  }
  const submit = async (): Promise<void> => {
    await run({ ...request, columns: keys, expected: count })
    void answer.refetch()
  }
  const disabledReason = disabledReasonOf(count, keys.length)
  return (
    <div className="export-page">
      <header>
        <h2>导出{itemName}</h2>
        {project && project.code !== '0' && <small>{project.name}</small>}
      </header>
      <div className="scroll">
        <section>
          <h3>导出范围{itemName}</h3>
          <div className="export-filters">
            {fields.map(({ name, field }) => {
              const { Control } = filterKinds[field.kind]
              return (
                <div key={name}>
                  <label>{field.label}</label>
                  <Control field={field} name={name} value={state.filter} onChange={setFilter} />
                </div>
              )
            })}
          </div>
          {Object.keys(state.filter).length > 0 && (
            <button type="button" className="linkish" onClick={() => setState({ filter: {}, keyword: '' })}>
              清除条件
            </button>
          )}
        </section>
        <ColumnChoice columns={columns} without={saved.without} onChange={without => setSaved({ without })} />
        {personalData && <p>{personalData}</p>}
        {answer.isError && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      </div>
      <footer>
        <Button
          type="primary"
          icon={<DownloadOutlined />}
          loading={busy}
          disabled={disabledReason !== undefined}
          title={disabledReason}
          onClick={() => void submit()}
        >
          {inBackground ? '后台导出' : '导出'} {count === undefined ? '' : `${formatCount(count)} 条`}
        </Button>
        <span role="status">{disabledReason ?? exportHint(inBackground)}</span>
      </footer>
    </div>
  )
}

/** Which columns go into the file; those left out are named by `without`. */
function ColumnChoice({
  columns,
  without,
  onChange,
}: {
  readonly columns: readonly SheetColumn[]
  readonly without: readonly string[]
  readonly onChange: (without: readonly string[]) => void
}) {
  const chosen = columns.filter(c => !without.includes(c.key)).length
  return (
    <section>
      <h3>
        导出列{' '}
        <small>
          已选 {chosen} / {columns.length}
        </small>{' '}
        <button type="button" className="linkish" onClick={() => onChange([])}>
          全选
        </button>{' '}
        <button type="button" className="linkish" onClick={() => onChange(columns.map(c => c.key))}>
          全不选
        </button>
      </h3>
      <div className="export-columns">
        {columns.map(column => (
          <Checkbox
            key={column.key}
            checked={!without.includes(column.key)}
            onChange={e =>
              onChange(e.target.checked ? without.filter(k => k !== column.key) : [...without, column.key])
            }
          >
            {column.heading}
          </Checkbox>
        ))}
      </div>
    </section>
  )
}

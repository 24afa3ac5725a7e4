import { useMemo, useState } from 'react'
import type { SheetFault } from '#kit/contract/sheet-reader.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { formatCount } from '../numbers.tsx'
import type { Column } from '../columns.tsx'
import { DataTable } from '../table/data-table.tsx'

type ImportFaultRow = {
  readonly line: number
  readonly column?: string
  readonly value?: string
  readonly message: string
  readonly remedy?: string
}

const textColumn = (
  key: keyof SheetFault,
  title: string,
  width: number,
  grow: number,
): Column<ImportFaultRow> => ({
  key,
  title,
  field: undefined,
  width,
  grow,
  align: 'left',
  fitContent: false,
  sortKey: undefined,
  render: r => (r[key] === undefined || r[key] === '' ? '--' : String(r[key])),
  text: r => String(r[key] ?? ''),
})

const faultColumns: readonly Column<ImportFaultRow>[] = [
  { ...textColumn('line', '行', 60, 0), align: 'right', fitContent: true },
  { ...textColumn('column', '列', 84, 0), fitContent: true },
  textColumn('value', '原值', 100, 1),
  textColumn('message', '问题', 200, 3),
  textColumn('remedy', '修改建议', 200, 3),
]

/** Faults by line and column, the most frequent columns first as filters. */
export function FaultTable({
  rows,
  total,
  note,
}: {
  readonly rows: readonly ImportFaultRow[]
  readonly total: number
  readonly note: string
}) {
  const [column, setColumn] = useState<string>()
  const columnCounts = useMemo(
    () =>
      [
        ...rows.reduce(
          (counts, r) => counts.set(r.column ?? '', (counts.get(r.column ?? '') ?? 0) + 1),
          new Map<string, number>(),
        ),
      ]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 8),
    [rows],
  )
  const keyed = useMemo(
    () => rows.map((r, i) => ({ ...r, i })).filter(r => column === undefined || (r.column ?? '') === column),
    [rows, column],
  )
  return (
    <div className="fault-table">
      <p>
        {note}
        {rows.length > total && total > 0 && `；${formatCount(total)} 行共 ${formatCount(rows.length)} 处`}
        {total > rows.length &&
          `；此处列出前 ${formatCount(Math.min(rows.length, sheetLimits.maxListed))} 条，全部见「下载错误行」`}
      </p>
      {columnCounts.length > 1 && (
        <div className="sorts">
          {columnCounts.map(([columnCount, count]) => (
            <button
              key={columnCount}
              type="button"
              aria-pressed={column === columnCount}
              onClick={() => setColumn(column === columnCount ? undefined : columnCount)}
            >
              {columnCount || '其他'} {count}
            </button>
          ))}
        </div>
      )}
      <div className="faults" style={{ height: Math.min(Math.max(keyed.length, 3) * 36 + 44, 400) }}>
        <DataTable
          rows={keyed}
          columns={faultColumns}
          keyOf={r => (r as { i: number } & ImportFaultRow).i}
          label="问题"
          dense
        />
      </div>
    </div>
  )
}

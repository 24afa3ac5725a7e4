import { copyText } from '../copy-text.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { CopyOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { buildColumns as columnsOf, textOf, type Column } from '../columns.tsx'
import { StoredImages } from '../stored-images.tsx'
import { cellRenderers } from '../cell-renderers.tsx'
import { useRefNames } from '../refs.ts'
import { MaskedValue } from '../masked-value.tsx'
import { getPersonalDataLoader } from '../reveal.ts'
import { DataTable } from '../table/data-table.tsx'
import { rowHeights } from '../table/column-layout.ts'
import { useDensity } from '../theme/appearance.ts'
import './detail.css'

export interface DetailGroup<T> {
  readonly title?: string
  readonly keys: readonly ((keyof T & string) | DetailField<T>)[]
  readonly headerExtra?: ReactNode
}

/** A line of the screen's own among the fields. */
export interface DetailField<T> {
  readonly key: string
  readonly label?: string
  readonly render?: (row: T) => ReactNode
  readonly wide?: boolean
}

interface DetailPanelProps<T> {
  readonly fields: Fields
  readonly row: T
  readonly groups?: readonly DetailGroup<T>[] | undefined
  /** For 显示 of masked values. */
  readonly entity?: string | undefined
}

const detailKeys = (fields: Fields): string[] => {
  const isNamedByLookup = (k: string): boolean =>
    Object.values(fields).some(f => f.lookup?.[0] === k && !f.hiddenIn?.includes('detail'))
  return Object.keys(fields).filter(
    k => !defined(fields[k]).hiddenIn?.includes('detail') && !isNamedByLookup(k),
  )
}

/** Codes and numbers that people copy elsewhere. */
const isCopyable = (f: Field, key: string): boolean =>
  f.kind === 'text' && !f.masked && (f.rule !== undefined || /(code|no|number|phone|address)$/i.test(key))

function RefNames({
  field,
  value,
  row,
}: {
  readonly field: Field
  readonly value: unknown
  readonly row: Readonly<Record<string, unknown>>
}) {
  const values = [value].flat().map(String)
  const names = useRefNames(field.target, values, row)
  return <>{values.map(v => names.get(v) ?? v).join('、')}</>
}

function LinesTable({ field, value }: { readonly field: Field; readonly value: readonly unknown[] }) {
  const [density] = useDensity()
  const dense = density === 'tight'
  const members = nestedFieldsOf(field)
  const keyed = value.map((r, i) => ({ ...(r as object), i }))
  const columns: Column<{ i: number }>[] = columnsOf({ form: 'many', fields: members } as never)
  return (
    <div
      className="lines-shown"
      style={{
        height: Math.min(keyed.length, 8) * (dense ? rowHeights.dense : rowHeights.row) + rowHeights.head + 2,
      }}
    >
      <DataTable
        rows={keyed}
        columns={columns.map(c => ({ ...c, identity: false }))}
        keyOf={r => r.i}
        label={field.label}
        dense={dense}
      />
    </div>
  )
}

function revealOf(
  { masked }: Field,
  entity: string | undefined,
  id: Id | undefined,
  name: string,
): (() => Promise<string>) | undefined {
  const load = getPersonalDataLoader()
  if (!load || entity === undefined || id === undefined || masked === 'secret') return undefined
  return () => load(entity, id, name)
}

function FieldValue({
  field: f,
  name,
  row,
  entity,
}: {
  readonly field: Field
  readonly name: string
  readonly row: Readonly<Record<string, unknown>>
  readonly entity: string | undefined
}) {
  const v = row[name]
  if (v === undefined || v === null || v === '' || (Array.isArray(v) && !v.length))
    return <span className="absent">{emptyPlaceholder}</span>
  if (f.kind === 'file') return <StoredImages fileKeys={[v as string]} />
  if (f.kind === 'lines') return <LinesTable field={f} value={v as unknown[]} />
  if (f.masked)
    return <MaskedValue value={textOf(f, v)} reveal={revealOf(f, entity, row.id as Id | undefined, name)} />
  if (f.kind === 'ref' || f.target) return <RefNames field={f} value={v} row={row} />
  const body =
    f.kind === 'decimal' ? (
      textOf(f, v)
    ) : f.kind === 'text' ? (
      <span className="lines-kept">{String(v)}</span>
    ) : (
      cellRenderers[f.kind].render(v, f)
    )
  return (
    <>
      {body}
      {isCopyable(f, name) && (
        <button
          type="button"
          className="copy"
          aria-label={`复制${f.label}`}
          title="复制"
          onClick={() => void copyText(String(v))}
        >
          <CopyOutlined />
        </button>
      )}
    </>
  )
}

/** All fields of one record, two columns, in groups. */
export function DetailPanel<T>({ fields, row, groups, entity }: DetailPanelProps<T>) {
  const allGroups: readonly DetailGroup<T>[] = groups ?? [
    { title: '基本信息', keys: detailKeys(fields) as (keyof T & string)[] },
  ]
  const values = row as Readonly<Record<string, unknown>>
  return (
    <div className="detail-panel">
      {allGroups.map((g, n) => (
        <section key={g.title ?? n}>
          {g.title && (
            <header>
              <h3>{g.title}</h3>
              {g.headerExtra}
            </header>
          )}
          <dl>
            {g.keys.map(entry => {
              const detailField: DetailField<T> = typeof entry === 'string' ? { key: entry } : entry
              const f = fields[detailField.key]
              if (!f && !detailField.render) return null
              const wide =
                detailField.wide ??
                (f !== undefined &&
                  (f.kind === 'lines' || f.kind === 'file' || (f.kind === 'text' && (f.max ?? 0) > 100)))
              return (
                <div
                  key={detailField.key}
                  className={f?.kind === 'lines' && !detailField.render ? 'wide stacked' : wide ? 'wide' : ''}
                >
                  <dt>{detailField.label ?? f?.label}</dt>
                  <dd>
                    {detailField.render ? (
                      (detailField.render(row) ?? <span className="absent">{emptyPlaceholder}</span>)
                    ) : (
                      <FieldValue field={defined(f)} name={detailField.key} row={values} entity={entity} />
                    )}
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}

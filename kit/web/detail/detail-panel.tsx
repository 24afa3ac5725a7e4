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
  /** In words, what the absence of a value means: 全部. */
  readonly emptyText?: string
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
  field,
  name,
  row,
  entity,
  emptyText,
}: {
  readonly field: Field
  readonly name: string
  readonly row: Readonly<Record<string, unknown>>
  readonly entity: string | undefined
  readonly emptyText: string | undefined
}) {
  const value = row[name]
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length))
    return emptyText !== undefined ? <>{emptyText}</> : <span className="absent">{emptyPlaceholder}</span>
  if (field.kind === 'file' || field.holdsFiles) return <StoredImages fileKeys={[value].flat() as string[]} />
  if (field.kind === 'lines') return <LinesTable field={field} value={value as unknown[]} />
  if (field.masked)
    return (
      <MaskedValue
        value={textOf(field, value)}
        reveal={revealOf(field, entity, row.id as Id | undefined, name)}
      />
    )
  if (field.kind === 'ref' || field.target) return <RefNames field={field} value={value} row={row} />
  const body =
    field.kind === 'decimal' ? (
      textOf(field, value)
    ) : field.kind === 'text' ? (
      <span className="lines-kept">{String(value)}</span>
    ) : (
      cellRenderers[field.kind].render(value, field)
    )
  return (
    <>
      {body}
      {isCopyable(field, name) && (
        <button
          type="button"
          className="copy"
          aria-label={`复制${field.label}`}
          title="复制"
          onClick={() => void copyText(String(value))}
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
      {allGroups.map((group, index) => (
        <section key={group.title ?? index}>
          {group.title && (
            <header>
              <h3>{group.title}</h3>
              {group.headerExtra}
            </header>
          )}
          <dl>
            {group.keys.map(entry => {
              const detailField: DetailField<T> = typeof entry === 'string' ? { key: entry } : entry
              const field = fields[detailField.key]
              if (!field && !detailField.render) return null
              const wide =
                detailField.wide ??
                (field !== undefined &&
                  (field.kind === 'lines' ||
                    field.kind === 'file' ||
                    (field.kind === 'text' && (field.max ?? 0) > 100)))
              return (
                <div
                  key={detailField.key}
                  className={
                    field?.kind === 'lines' && !detailField.render ? 'wide stacked' : wide ? 'wide' : ''
                  }
                >
                  <dt>{detailField.label ?? field?.label}</dt>
                  <dd>
                    {detailField.render ? (
                      (detailField.render(row) ?? <span className="absent">{emptyPlaceholder}</span>)
                    ) : (
                      <FieldValue
                        field={defined(field)}
                        name={detailField.key}
                        row={values}
                        entity={entity}
                        emptyText={detailField.emptyText}
                      />
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

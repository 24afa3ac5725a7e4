import { CopyOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import { blank } from '#kit/contract/text.ts'
import { membersOf } from '#kit/contract/value.ts'
import { columns as columnsOf, textOf, type Column } from '../columns.tsx'
import { KeptImages } from '../kept-images.tsx'
import { looks } from '../looks.tsx'
import { useNames } from '../refs.ts'
import { noteShown } from '../reveal.ts'
import { DataTable } from '../table/data-table.tsx'
import { bands } from '../table/layout.ts'
import { useDensity } from '../theme/appearance.ts'
import { toast } from '../toast.ts'
import './detail.css'

export interface Group<T> {
  readonly title?: string
  readonly keys: readonly ((keyof T & string) | Shown<T>)[]
  readonly more?: ReactNode
}

/** A line of the screen's own among those of the fields. */
export interface Shown<T> {
  readonly key: string
  readonly label?: string
  readonly show?: (row: T) => ReactNode
  readonly wide?: boolean
}

interface Props<T> {
  readonly of: Fields
  readonly row: T
  readonly groups?: readonly Group<T>[] | undefined
  /** For 显示 of masked values. */ readonly entity?: string | undefined
}

const inDetail = (fields: Fields): string[] => {
  const named = (k: string): boolean =>
    Object.values(fields).some(f => f.through?.[0] === k && !f.notIn?.includes('detail'))
  return Object.keys(fields).filter(k => !fields[k]!.notIn?.includes('detail') && !named(k))
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('已复制')
  } catch {
    toast.warning('浏览器不允许复制，请选中后按 Ctrl C')
  }
}

/** Codes and numbers that people carry elsewhere. */
const copied = (f: Field, key: string): boolean =>
  f.kind === 'text' && !f.masked && (f.rule !== undefined || /(code|no|number|phone|address)$/i.test(key))

function Named({
  field,
  value,
  row,
}: {
  readonly field: Field
  readonly value: unknown
  readonly row: Readonly<Record<string, unknown>>
}) {
  const values = [value].flat().map(String)
  const names = useNames(field.to, values, row)
  return <>{values.map(v => names.get(v) ?? v).join('、')}</>
}

/** Who may see it in full was sent it in full; it stays covered until he asks, and that is noted. */
function Masked({
  field,
  value,
  entity,
  row,
  name,
}: {
  readonly field: Field
  readonly value: string
  readonly entity: string | undefined
  readonly row: Readonly<Record<string, unknown>>
  readonly name: string
}) {
  const [open, setOpen] = useState(false)
  const note = noteShown()
  const id = row.id as number | undefined
  const may = note && entity && id !== undefined && field.masked !== 'secret' && !value.includes('*')
  const show = (): void => {
    void note!(entity!, id!, name).then(
      () => setOpen(true),
      () => undefined,
    )
  }
  return (
    <>
      {open ? value : textOf(field, value)}{' '}
      {may && (
        <button type="button" className="linkish" onClick={open ? () => setOpen(false) : show}>
          {open ? '隐藏' : '显示'}
        </button>
      )}
    </>
  )
}

function Rows({ field, value }: { readonly field: Field; readonly value: readonly unknown[] }) {
  const [density] = useDensity()
  const dense = density === 'tight'
  const members = membersOf(field)
  const keyed = value.map((r, i) => ({ ...(r as object), i }))
  const columns: Column<{ i: number }>[] = columnsOf({ form: 'many', fields: members } as never)
  return (
    <div
      className="lines-shown"
      style={{ height: Math.min(keyed.length, 8) * (dense ? bands.dense : bands.row) + bands.head + 2 }}
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

function Value({
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
    return <span className="absent">{blank}</span>
  if (f.kind === 'file') return <KeptImages of={[v as string]} />
  if (f.kind === 'lines') return <Rows field={f} value={v as unknown[]} />
  if (f.masked) return <Masked field={f} value={String(v)} entity={entity} row={row} name={name} />
  if (f.kind === 'ref' || f.to) return <Named field={f} value={v} row={row} />
  const body =
    f.kind === 'decimal' || f.kind === 'int' ? (
      textOf(f, v)
    ) : f.kind === 'text' ? (
      <span className="lines-kept">{String(v)}</span>
    ) : (
      looks[f.kind].cell(v, f)
    )
  return (
    <>
      {body}
      {copied(f, name) && (
        <button
          type="button"
          className="copy"
          aria-label={`复制${f.label}`}
          title="复制"
          onClick={() => void copy(String(v))}
        >
          <CopyOutlined />
        </button>
      )}
    </>
  )
}

/** All that the fields say about one record, two columns, in groups. */
export function DetailPanel<T>({ of, row, groups, entity }: Props<T>) {
  const all: readonly Group<T>[] = groups ?? [
    { title: '基本信息', keys: inDetail(of) as (keyof T & string)[] },
  ]
  const values = row as Readonly<Record<string, unknown>>
  return (
    <div className="detail-panel">
      {all.map((g, n) => (
        <section key={g.title ?? n}>
          {g.title && (
            <header>
              <h3>{g.title}</h3>
              {g.more}
            </header>
          )}
          <dl>
            {g.keys.map(entry => {
              const own: Shown<T> = typeof entry === 'string' ? { key: entry } : entry
              const f = of[own.key]
              if (!f && !own.show) return null
              const wide =
                own.wide ??
                (f !== undefined &&
                  (f.kind === 'lines' || f.kind === 'file' || (f.kind === 'text' && (f.max ?? 0) > 100)))
              return (
                <div key={own.key} className={f?.kind === 'lines' ? 'wide stacked' : wide ? 'wide' : ''}>
                  <dt>{own.label ?? f?.label}</dt>
                  <dd>
                    {own.show ? (
                      (own.show(row) ?? <span className="absent">{blank}</span>)
                    ) : (
                      <Value field={f!} name={own.key} row={values} entity={entity} />
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

import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import type { ReactNode } from 'react'
import type { Entity } from '#kit/contract/entity.ts'
import type { Field, Fields, ValueOf } from '#kit/contract/field.ts'
import type { Page, Shape } from '#kit/contract/shape.ts'
import type { ExactList } from './exact-keys.ts'
import { emptyPlaceholder, maskByKind } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import { displayYuan } from './numbers.tsx'
import { measureText, cellRenderers, isStatus } from './cell-renderers.tsx'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly field: Field | undefined
  /** Minimum width in px, and the share of the spare width (0: never wider than it needs). */
  readonly width: number
  readonly grow: number
  readonly align: 'left' | 'right'
  /** Never cut: grows to its widest value. */
  readonly fitContent: boolean
  /** The key that the server sorts by, if it can. */
  readonly sortKey: string | undefined
  readonly render: (row: T, width?: number) => ReactNode
  /** The value as plain text, for the tooltip and for measuring the width. */
  readonly text: (row: T) => string
  /** Names the record: a link that opens the drawer, always shown. */
  readonly identity?: boolean | undefined
  readonly strong?: boolean | undefined
  /** In sight beside the identity where the table scrolls sideways: statuses and the `strong` figure are. */
  readonly keepInView?: boolean | undefined
  /** Hidden first on narrow screens: 1 before 2. Without it the column always stays. */
  readonly hidePriority?: number | undefined
  /** Shown only where the window is wide enough (1920); a person who chooses it sees it always. */
  readonly wideOnly?: boolean | undefined
  /** In 列设置, but hidden until the person chooses it. */
  readonly hiddenByDefault?: boolean | undefined
  readonly help?: string | undefined
}

type ColumnOverrides<T> = Partial<Omit<Column<T>, 'key' | 'field'>>

/**
 * A field by its key, a field with other options, or (with a title and a `render`) a column of the screen's
 * own.
 */
export type ColumnSpec<T> =
  | (keyof T & string)
  | (ColumnOverrides<T> & { readonly key: (keyof T & string) | (string & {}) })

type ColumnOptions<T> = Exclude<ColumnSpec<T>, string>

/** Columns of `T` declared apart: `defineColumns<Bill>()([…])`; a misspelt option does not compile. */
export const defineColumns =
  <T,>() =>
  <const List extends readonly ColumnSpec<T>[]>(
    columns: List & ExactList<ColumnOptions<T>, List>,
  ): readonly ColumnSpec<T>[] =>
    columns

/** A reference is shown by its name: `buildCode` by the lookup field `buildName`. */
const displayKey = (fields: Fields, key: string): string =>
  fields[key]?.kind === 'ref'
    ? (Object.keys(fields).find(k => defined(fields[k]).lookup?.[0] === key) ?? key)
    : key

/** A value as text, personal data masked. */
export const textOf = (field: Field, cell: unknown): string =>
  field.kind === 'money' && typeof cell === 'number'
    ? displayYuan(asFen(cell))
    : field.masked && typeof cell === 'string' && !cell.includes('*')
      ? maskByKind[field.masked](cell)
      : formatValue(cell, field)

function buildColumn<T>(fields: Fields, title: string, entry: ColumnSpec<T>): Column<T> {
  const overrides: ColumnOverrides<T> & { key: string } = typeof entry === 'string' ? { key: entry } : entry
  const key = displayKey(fields, overrides.key)
  const field = fields[key]
  const renderer = field && cellRenderers[field.kind]
  const value = (row: T): unknown => (row as Readonly<Record<string, unknown>>)[key]
  const text = overrides.text ?? ((row: T): string => (field ? textOf(field, value(row)) : ''))
  const heading = overrides.title ?? (field?.unit ? `${field.label}（${field.unit}）` : (field?.label ?? ''))
  // The unit is in the heading; that there is one still decides how many digits a figure keeps.
  const fieldWithoutUnit = field?.unit ? ({ ...field, unit: '' } as Field) : field
  const render = (row: T, width?: number): ReactNode => {
    const cell = value(row)
    if (cell === undefined || cell === null || cell === '' || !fieldWithoutUnit) return emptyPlaceholder
    return fieldWithoutUnit.masked
      ? textOf(fieldWithoutUnit, cell)
      : defined(renderer).render(cell, fieldWithoutUnit, width)
  }
  const isSortable =
    renderer?.isSortable &&
    (!defined(field).derived || defined(field).lookup || key === 'createTime' || key === 'updateTime')
  const sort = 'sortKey' in overrides ? overrides.sortKey : isSortable ? key : undefined
  return {
    key: overrides.key,
    field,
    title: heading,
    width: Math.max(
      overrides.width ?? renderer?.width(defined(field)) ?? 100,
      measureText(heading) * 0.93 + 22,
    ),
    grow: overrides.grow ?? (overrides.width && !overrides.render ? 0 : (renderer?.grow ?? 1)),
    align: overrides.align ?? renderer?.align ?? 'left',
    fitContent: overrides.fitContent ?? renderer?.fitContent ?? false,
    sortKey: sort,
    render: overrides.render ?? render,
    text:
      fieldWithoutUnit && !overrides.text ? row => (field ? textOf(fieldWithoutUnit, value(row)) : '') : text,
    identity: overrides.identity ?? (field !== undefined && key === title),
    strong: overrides.strong,
    keepInView:
      overrides.keepInView ?? (overrides.strong === true || (field !== undefined && isStatus(field))),
    hidePriority: overrides.hidePriority,
    wideOnly: overrides.wideOnly,
    hiddenByDefault: overrides.hiddenByDefault,
    help: overrides.help ?? field?.help,
  }
}

/** For a list that the server does not sort: `buildColumns(…).map(withoutSorting)`. */
export const withoutSorting = <T,>(column: Column<T>): Column<T> => ({ ...column, sortKey: undefined })

const tableKeys = (fields: Fields): string[] => {
  const all = Object.keys(fields).filter(k => !defined(fields[k]).hiddenIn?.includes('table'))
  return all.filter(k => displayKey(fields, k) === k || !all.includes(displayKey(fields, k)))
}

/**
 * The columns of a table from an entity or from the output of a call. Without keys: all fields that are not
 * hidden in tables. The entity's title opens the drawer; for a shape the first column does.
 */
export function buildColumns<F extends Fields>(
  source: Entity<F>,
  entries?: readonly ColumnSpec<ValueOf<F>>[],
): Column<ValueOf<F>>[]

export function buildColumns<T>(
  source: Shape<Page<T>> | Shape<readonly T[]>,
  entries?: readonly ColumnSpec<T>[],
): Column<T>[]

export function buildColumns(source: Entity | Shape, entries?: readonly ColumnSpec<any>[]): Column<any>[] {
  const title = 'title' in source ? source.title : undefined
  const columns = (entries ?? tableKeys(source.fields)).map(e =>
    buildColumn<any>(source.fields, title ?? '', e),
  )
  return columns.some(c => c.identity)
    ? columns
    : columns.map((c, i) => (i === 0 ? { ...c, identity: true } : c))
}

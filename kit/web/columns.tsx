import type { ReactNode } from 'react'
import type { Entity } from '#kit/contract/entity.ts'
import type { Field, Fields, ValueOf } from '#kit/contract/field.ts'
import type { Page, Shape } from '#kit/contract/shape.ts'
import { blank, maskIdCard, maskPhone } from '#kit/contract/text.ts'
import { show } from '#kit/contract/value.ts'
import { yuan } from './figure.tsx'
import { advance, looks } from './looks.tsx'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly field: Field | undefined
  /** Least width in px, and the share of the spare width (0: never wider than it needs). */
  readonly width: number
  readonly grow: number
  readonly align: 'left' | 'right'
  /** Never cut: widened to its widest value. */
  readonly fit: boolean
  /** What the server sorts by, when it can. */
  readonly sort: string | undefined
  readonly render: (row: T) => ReactNode
  /** The same as plain text: the full text on hover, what is measured. */
  readonly text: (row: T) => string
  /** Names the record: a link that opens the drawer, always shown. */
  readonly identity?: boolean | undefined
  readonly strong?: boolean | undefined
  /** Left out first on narrow screens: 1 before 2. Without it the column always stays. */
  readonly drop?: number | undefined
  /** Shown only where the window has room for it (1920); a person who asks for it has it always. */
  readonly roomy?: boolean | undefined
  /** In 列设置, but not shown until the person asks for it. */
  readonly aside?: boolean | undefined
  readonly help?: string | undefined
}

type Change<T> = {
  readonly [
    K in
      | 'title'
      | 'width'
      | 'grow'
      | 'align'
      | 'fit'
      | 'sort'
      | 'identity'
      | 'strong'
      | 'drop'
      | 'roomy'
      | 'aside'
      | 'help'
  ]?: Column<T>[K]
} & {
  readonly render?: (row: T) => ReactNode
  readonly text?: (row: T) => string
}

/**
 * A field by its key, a field shown otherwise, or (with a title and a rendering) something of the screen's
 * own.
 */
export type Entry<T> = (keyof T & string) | (Change<T> & { readonly key: (keyof T & string) | (string & {}) })

/** A reference is shown by its name: `buildCode` through `buildName`. */
const spoken = (fields: Fields, key: string): string =>
  fields[key]?.kind === 'ref' ? (Object.keys(fields).find(k => fields[k]!.through?.[0] === key) ?? key) : key

const masks = { mobile: maskPhone, idCard: maskIdCard, secret: () => '******' } as const

/** A value as people read it, people's data masked. */
export const textOf = (f: Field, v: unknown): string =>
  f.kind === 'money' && typeof v === 'number'
    ? yuan(v)
    : f.masked && typeof v === 'string' && !v.includes('*')
      ? masks[f.masked](v)
      : show(v, f)

function column<T>(fields: Fields, title: string, entry: Entry<T>): Column<T> {
  const more: Change<T> & { key: string } = typeof entry === 'string' ? { key: entry } : entry
  const key = spoken(fields, more.key)
  const f = fields[key]
  const look = f && looks[f.kind]
  const value = (row: T): unknown => (row as Readonly<Record<string, unknown>>)[key]
  const text = more.text ?? ((row: T): string => (f ? textOf(f, value(row)) : ''))
  const heading = more.title ?? (f?.unit ? `${f.label}（${f.unit}）` : (f?.label ?? ''))
  // The unit stands in the heading; that there is one still says how many digits a figure keeps.
  const bare = f?.unit ? ({ ...f, unit: '' } as Field) : f
  const render = (row: T): ReactNode => {
    const v = value(row)
    if (v === undefined || v === null || v === '' || !bare) return blank
    return bare.masked ? textOf(bare, v) : look!.cell(v, bare)
  }
  const sorts = look?.sorts && (!f!.derived || f!.through || key === 'createTime' || key === 'updateTime')
  const sort = 'sort' in more ? more.sort : sorts ? key : undefined
  return {
    key: more.key,
    field: f,
    title: heading,
    width: Math.max(more.width ?? look?.width(f!) ?? 100, advance(heading) * 0.93 + 22),
    grow: more.grow ?? (more.width && !more.render ? 0 : (look?.grow ?? 1)),
    align: more.align ?? look?.align ?? 'left',
    fit: more.fit ?? look?.fit ?? false,
    sort,
    render: more.render ?? render,
    text: bare && !more.text ? row => (f ? textOf(bare, value(row)) : '') : text,
    identity: more.identity ?? (f !== undefined && key === title),
    strong: more.strong,
    drop: more.drop,
    roomy: more.roomy,
    aside: more.aside,
    help: more.help,
  }
}

const inTable = (fields: Fields): string[] => {
  const all = Object.keys(fields).filter(k => !fields[k]!.notIn?.includes('table'))
  return all.filter(k => spoken(fields, k) === k || !all.includes(spoken(fields, k)))
}

/**
 * The columns of a table, from an entity or from what a call answers: widths, sides, tags and blanks by kind.
 * Without keys: all that do not stay out of tables. The entity's title opens the drawer; of a shape the first
 * column does.
 */
export function columns<F extends Fields>(
  of: Entity<F>,
  entries?: readonly Entry<ValueOf<F>>[],
): Column<ValueOf<F>>[]

export function columns<T>(
  of: Shape<Page<T>> | Shape<readonly T[]>,
  entries?: readonly Entry<T>[],
): Column<T>[]

export function columns(of: Entity | Shape, entries?: readonly Entry<any>[]): Column<any>[] {
  const title = 'title' in of ? of.title : undefined
  const made = (entries ?? inTable(of.fields)).map(e => column<any>(of.fields, title ?? '', e))
  return made.some(c => c.identity) ? made : made.map((c, i) => (i === 0 ? { ...c, identity: true } : c))
}

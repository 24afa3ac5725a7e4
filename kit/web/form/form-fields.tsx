import { memo, useMemo, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import { controls, type Control } from '../controls/kinds.tsx'
import type { Form } from './state.ts'
import './form.css'

/** A field on a form: by its key, or otherwise shown. */
export interface Ask {
  readonly key: string
  readonly label?: string
  readonly help?: ReactNode
  readonly control?: Control
  /** Takes both columns. */
  readonly wide?: boolean
  /** Not asked while this says so; its value stays. */
  readonly hidden?: (values: any) => boolean
  /** Why it cannot be changed now. */
  readonly off?: (values: any) => string | undefined
  /** One control over several fields: what it gives, by key; `also` names the others. */
  readonly spread?: (value: unknown) => Readonly<Record<string, unknown>>
  readonly also?: readonly string[]
  /** What follows from a change of it: other values to set. */
  readonly then?: (value: any, values: any) => Readonly<Record<string, unknown>> | undefined
}

export interface AskGroup {
  readonly title?: string
  readonly keys: readonly (string | Ask)[]
}

const asksOf = (g: AskGroup): Ask[] => g.keys.map(k => (typeof k === 'string' ? { key: k } : k))

export const keysOf = (groups: readonly AskGroup[]): string[] =>
  groups.flatMap(g => asksOf(g).flatMap(a => [a.key, ...(a.also ?? [])]))

/** All that a form asks when nobody groups them. */
export const formKeys = (fields: Fields): string[] =>
  Object.keys(fields).filter(k => {
    const f = fields[k]!
    return !f.notIn?.includes('form') && !f.derived && f.kind !== 'id' && f.kind !== 'part'
  })

const isWide = (f: Field, a: Ask): boolean =>
  a.wide ??
  (f.kind === 'lines' ||
    f.kind === 'file' ||
    (f.kind === 'text' && (f.max ?? 0) > 60) ||
    (f.kind === 'choices' && Object.keys(f.choices?.rows ?? {}).length > 3) ||
    a.control !== undefined)

interface ItemProps {
  readonly field: Field
  readonly ask: Ask
  readonly id: string
  readonly value: unknown
  readonly fault: string | undefined
  readonly inner: Readonly<Record<string, string>>
  readonly off: string | undefined
  readonly given: Readonly<Record<string, unknown>>
  readonly form: Pick<Form, 'set' | 'leave' | 'patch' | 'read'>
  readonly wide: boolean
}

/** Label above, help under it, the fault in the help's place: nothing moves. */
const Item = memo(function Item({ field, ask, id, value, fault, inner, off, given, form, wide }: ItemProps) {
  const Control = ask.control ?? controls[field.kind]
  const label = ask.label ?? field.label
  const note = off ?? ask.help ?? field.help
  const change = (v: unknown): void => {
    if (ask.spread) {
      form.patch(ask.spread(v))
      return
    }
    form.set(ask.key, v)
    const more = ask.then?.(v, { ...form.read(), [ask.key]: v })
    if (more) {
      form.patch(more)
    }
  }
  return (
    <div className={`ask${wide ? ' wide' : ''}${fault ? ' wrong' : ''}`} data-field={ask.key}>
      <label htmlFor={id}>
        {field.required && (
          <i className="star" aria-hidden>
            *
          </i>
        )}
        {label}
      </label>
      <Control
        field={field}
        id={id}
        value={value}
        onChange={change}
        onBlur={() => form.leave(ask.key)}
        disabled={off !== undefined}
        invalid={fault !== undefined}
        describedBy={fault || note ? `${id}-note` : undefined}
        given={given}
        inner={inner}
      />
      <div id={`${id}-note`} className={fault ? 'note fault' : 'note'} {...(fault ? { role: 'alert' } : {})}>
        {fault ?? note}
      </div>
    </div>
  )
})

const noInner = {}

interface Props {
  readonly form: Form
  readonly fields: Fields
  readonly groups: readonly AskGroup[]
  readonly name: string
  readonly columns: 1 | 2
  readonly fixed?: boolean
}

/** The fields of a form in one or two columns, groups under headings. */
export function FormFields({ form, fields, groups, name, columns, fixed }: Props) {
  const { set, leave, patch, read } = form
  const hands = useMemo(() => ({ set, leave, patch, read }), [set, leave, patch, read])
  const all = useMemo(() => groups.map(g => ({ title: g.title, asks: asksOf(g) })), [groups])
  const named = useMemo(
    () =>
      new Map(
        all.flatMap(g =>
          g.asks.flatMap(a =>
            fields[a.key]
              ? [[a.key, a.label ? { ...fields[a.key]!, label: a.label } : fields[a.key]!] as const]
              : [],
          ),
        ),
      ),
    [all, fields],
  )
  return (
    <>
      {all.map((g, n) => (
        <section key={g.title ?? n} className="ask-group">
          {g.title && <h3>{g.title}</h3>}
          <div className={columns === 2 ? 'asks two' : 'asks'}>
            {g.asks.map(a => {
              const f = named.get(a.key)
              if (!f || a.hidden?.(form.values)) return null
              const off = a.off?.(form.values) ?? (fixed && f.fixed ? '保存后不能修改' : undefined)
              const nested = Object.entries(form.faults).filter(([k]) => k.startsWith(`${a.key}[`))
              return (
                <Item
                  key={a.key}
                  field={f}
                  ask={a}
                  id={`${name}-${a.key}`}
                  value={form.values[a.key]}
                  fault={form.faults[a.key]}
                  inner={
                    nested.length
                      ? Object.fromEntries(nested.map(([k, v]) => [k.slice(a.key.length), v]))
                      : noInner
                  }
                  off={off}
                  given={a.control || f.to || f.kind === 'lines' ? form.values : noInner}
                  form={hands}
                  wide={columns === 2 && isWide(f, a)}
                />
              )
            })}
          </div>
        </section>
      ))}
    </>
  )
}

import { useCallback, useContext, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { wireNameOf, type FieldFault } from '#kit/contract/wire.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { faultOf } from '../controls/invalid-input.ts'
import { TabContext, useUnsaved } from '../tab.ts'
import { readDraft, dropDraft, saveDraft, registerDraft, type Values } from './drafts.ts'

export type Faults = Readonly<Record<string, string>>

export interface Form {
  readonly values: Values
  /** The values as they stand now, for what is called later. */
  readonly readValues: () => Values
  readonly faults: Faults
  readonly dirty: boolean
  /** When the draft was kept that stands here now. */
  readonly restoredAt: string | undefined
  /** What is typed is kept as a draft. */
  readonly keepsDraft: boolean
  readonly set: (key: string, v: unknown) => void
  readonly patch: (some: Values) => void
  /** Checks one field, as when its box is left. */
  readonly validateField: (key: string) => void
  /** Checks all; goes to the first fault. */
  readonly validate: () => boolean
  /** Puts the server's faults (10001) beside their fields; answers those that no field here answers to. */
  readonly applyServerFaults: (faults: readonly FieldFault[]) => FieldFault[]
  /** Begins anew from these values: saved, discarded, or somebody else's. */
  readonly reset: (values: Values) => void
  readonly discard: () => void
  /** Writes the draft now. */
  readonly saveDraft: () => void
  readonly root: RefObject<HTMLDivElement | null>
}

interface FormOptions {
  readonly shape: Pick<Shape, 'wireNames'> & { readonly fields: Fields }
  /** Fields on the form. */
  readonly keys: readonly string[]
  readonly initial: Values
  /** Under which the draft is kept; none: no draft. */
  readonly draftKey?: string | undefined
  /** Rules over several fields: faults by key. */
  readonly rules?: ((values: any) => Faults | undefined) | undefined
}

const isEmpty = (v: unknown): boolean =>
  v === undefined || v === null || v === '' || (Array.isArray(v) && v.length === 0)

/** Equal to a person's eye: nothing in any of its forms is nothing. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  (isEmpty(a) && isEmpty(b)) || a === b || JSON.stringify(a) === JSON.stringify(b)

/** Faults of one field; nested rows have theirs at `lines[2].amount`. */
export function fieldFaults(key: string, f: Field, v: unknown): [string, string][] {
  const own = faultOf(f, v)
  if (own) return [[key, own]]
  if (f.kind !== 'lines' || !Array.isArray(v)) return []
  const members = Object.entries(nestedFieldsOf(f)).filter(
    ([, m]) => !m.derived && !m.hiddenIn?.includes('form'),
  )
  return v.flatMap((row, i) =>
    members.flatMap(([k, m]) => fieldFaults(`${key}[${i}].${k}`, m, (row as Values)[k])),
  )
}

/** `Lines[2].Amount` of the wire → `lines[2].amount`. Nothing where no field of these is called so. */
export function keyOfWirePath(
  path: string,
  fields: Fields,
  s?: Pick<Shape, 'wireNames'>,
): string | undefined {
  const m = /^([^[.]+)(\[\d+\])?(?:\.(.+))?$/.exec(path)
  if (!m) return undefined
  const said = m[1]!.toLowerCase()
  const key = Object.keys(fields).find(
    k =>
      wireNameOf(k, fields[k]!, s).toLowerCase() === said ||
      k.toLowerCase() === said ||
      [fields[k]!.wire ?? []].flat().some(w => w.toLowerCase() === said),
  )
  if (!key) return undefined
  if (!m[3]) return `${key}${m[2] ?? ''}`
  const inner = keyOfWirePath(m[3], nestedFieldsOf(fields[key]!))
  return inner && `${key}${m[2] ?? ''}.${inner}`
}

const initialValues = (fields: Fields, keys: readonly string[], initial: Values): Values => ({
  ...Object.fromEntries(
    keys.flatMap(k => (fields[k]?.initial === undefined || initial.id ? [] : [[k, fields[k].initial]])),
  ),
  ...initial,
})

/** What a form holds: values in memory's form, faults by key, its draft. */
export function useForm({ shape, keys, initial, draftKey, rules }: FormOptions): Form {
  const { fields } = shape
  const page = useContext(TabContext)
  const root = useRef<HTMLDivElement>(null)
  const [base, setBase] = useState<Values>(() => initialValues(fields, keys, initial))
  const found = useMemo(() => (draftKey ? readDraft(draftKey, fields) : undefined), [])
  const fits = found !== undefined && (found.version ?? 0) === ((initial.version as number | undefined) ?? 0)
  const [values, setValues] = useState<Values>(() => (fits ? { ...base, ...found.values } : base))
  const [faults, setFaults] = useState<Faults>({})
  const [restored, setRestored] = useState(fits ? found.at : undefined)
  const dirty = keys.some(k => !isSameValue(values[k], base[k]))
  const now = useRef({ values, dirty, base, faults })
  now.current = { values, dirty, base, faults }
  useUnsaved(dirty)

  const read = useCallback((): Values => now.current.values, [])
  const wrongAt = (key: string, all: Values): [string, string][] => [
    ...fieldFaults(key, fields[key]!, all[key]),
    ...Object.entries(rules?.(all) ?? {}).filter(([k]) => k === key),
  ]
  const set = useCallback(
    (key: string, v: unknown): void => {
      setValues(was => ({ ...was, [key]: isEmpty(v) ? undefined : v }))
      // A fault that stands is taken away as soon as the value is right; a new one waits until the box is
      // left.
      setFaults(was => {
        const mine = Object.keys(was).filter(k => k === key || k.startsWith(`${key}[`))
        if (!mine.length) return was
        const next = { ...was }
        for (const k of mine) {
          delete next[k]
        }
        return {
          ...next,
          ...Object.fromEntries(fieldFaults(key, fields[key]!, v).filter(([k]) => mine.includes(k))),
        }
      })
    },
    [fields],
  )
  const patch = useCallback(
    (some: Values): void => {
      for (const [k, v] of Object.entries(some)) {
        set(k, v)
      }
    },
    [set],
  )
  const leave = useCallback(
    (key: string): void =>
      setFaults(was => {
        const rest = Object.fromEntries(
          Object.entries(was).filter(([k]) => k !== key && !k.startsWith(`${key}[`)),
        )
        return { ...rest, ...Object.fromEntries(wrongAt(key, now.current.values)) }
      }),
    [fields, rules],
  )
  const goTo = (key: string): void => {
    setTimeout(() => {
      const at = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
        e => key === e.dataset.field || key.startsWith(`${e.dataset.field}[`),
      )
      at?.scrollIntoView({ block: 'center' })
      ;(
        at?.querySelector<HTMLElement>('[aria-invalid=true]') ??
        at?.querySelector<HTMLElement>('input, textarea, [role=combobox], button')
      )?.focus()
    }, 30)
  }
  const check = useCallback((): boolean => {
    const all = {
      ...Object.fromEntries(
        keys.flatMap(k => (fields[k] ? fieldFaults(k, fields[k], now.current.values[k]) : [])),
      ),
      ...rules?.(now.current.values),
    }
    setFaults(all)
    const first = keys.find(k => Object.keys(all).some(x => x === k || x.startsWith(`${k}[`)))
    if (first) {
      goTo(first)
    }
    return Object.keys(all).length === 0
  }, [fields, keys, rules])
  const take = useCallback(
    (said: readonly FieldFault[]): FieldFault[] => {
      const placed = said
        .map(f => ({ f, key: keyOfWirePath(f.Field, fields, shape) }))
        .map(x => ({
          ...x,
          key: x.key && keys.some(k => x.key === k || x.key!.startsWith(`${k}[`)) ? x.key : undefined,
        }))
      setFaults(Object.fromEntries(placed.flatMap(x => (x.key ? [[x.key, x.f.Message]] : []))))
      const first = placed.find(x => x.key)?.key
      if (first) {
        goTo(first)
      }
      return placed.filter(x => !x.key).map(x => x.f)
    },
    [fields, keys],
  )
  const written = useRef<Values>(values)
  const reset = useCallback(
    (v: Values): void => {
      const b = initialValues(fields, keys, v)
      // At once, not at the next drawing: a form that is closed in the same breath must not write its draft
      // again.
      written.current = b
      now.current = { values: b, dirty: false, base: b, faults: {} }
      setBase(b)
      setValues(b)
      setFaults({})
      setRestored(undefined)
      if (draftKey) {
        dropDraft(draftKey)
      }
    },
    [fields, keys, draftKey],
  )
  const discard = useCallback((): void => reset(now.current.base), [reset])

  const flush = useCallback((): void => {
    const { values: v, dirty: d, base: b } = now.current
    if (!draftKey || v === written.current) return
    written.current = v
    if (d) {
      saveDraft(draftKey, Object.fromEntries(keys.map(k => [k, v[k]])), b.version as number | undefined)
    } else {
      dropDraft(draftKey)
    }
  }, [draftKey, keys])
  useEffect(() => {
    if (!draftKey) return undefined
    const t = setInterval(flush, 5000)
    registerDraft(page, draftKey)
    const ask = (e: BeforeUnloadEvent): void => {
      flush()
      if (now.current.dirty) {
        e.preventDefault()
      }
    }
    addEventListener('beforeunload', ask)
    return () => {
      clearInterval(t)
      removeEventListener('beforeunload', ask)
      flush()
    }
  }, [draftKey, page])
  return {
    values,
    readValues: read,
    faults,
    dirty,
    restoredAt: restored,
    keepsDraft: draftKey !== undefined,
    set,
    patch,
    validateField: leave,
    validate: check,
    applyServerFaults: take,
    reset,
    discard,
    saveDraft: flush,
    root,
  }
}

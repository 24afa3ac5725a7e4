import { defined } from '#kit/domain/defined.ts'
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import type { Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { useUnsaved } from '../tab.ts'
import { draftStorageKey, dropDraft, readDraft, storableKeys, type Values } from './drafts.ts'
import { fieldFaults, isFaultOf, placeServerFaults, type Faults } from './form-faults.ts'
import { useDraft, type FormState } from './use-draft.ts'

export { fieldFaults, keyOfWirePath, type Faults } from './form-faults.ts'

export interface Form {
  readonly values: Values
  /** The newest values, for callbacks that outlive a render. */
  readonly readValues: () => Values
  readonly faults: Faults
  readonly dirty: boolean
  /** When the draft was saved that the form was filled from. */
  readonly restoredAt: string | undefined
  /** What is typed is kept as a draft. */
  readonly keepsDraft: boolean
  readonly set: (key: string, v: unknown) => void
  readonly patch: (some: Values) => void
  /** Checks one field, as when its input loses the focus. */
  readonly validateField: (key: string) => void
  /** Checks all; goes to the first fault. */
  readonly validate: () => boolean
  /** Puts the server's faults (10001) beside their fields. Returns those that no field takes. */
  readonly applyServerFaults: (faults: readonly FieldFault[]) => FieldFault[]
  /** Resets to these values: saved, discarded, or somebody else's. */
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

/** Equal to a person's eye: `undefined`, `null`, `''` and `[]` are all nothing. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  (isEmpty(a) && isEmpty(b)) || a === b || JSON.stringify(a) === JSON.stringify(b)

function initialValues(fields: Fields, keys: readonly string[], initial: Values): Values {
  if (initial.id) return { ...initial }
  const withDefault = keys.filter(k => fields[k]?.initial !== undefined)
  return { ...Object.fromEntries(withDefault.map(k => [k, defined(fields[k]).initial])), ...initial }
}

const versionOf = (values: Values): number => (values.version as number | undefined) ?? 0

/**
 * The values a form begins with: its initial ones, with a draft over them that was typed over this version.
 */
function useInitialValues({ shape, keys, initial }: FormOptions, storageKey: string | undefined) {
  const { fields } = shape
  const [base, setBase] = useState<Values>(() => initialValues(fields, keys, initial))
  const draft = useMemo(() => (storageKey ? readDraft(storageKey, fields) : undefined), [])
  const fits = draft !== undefined && (draft.version ?? 0) === versionOf(initial)
  const [values, setValues] = useState<Values>(() => (fits ? { ...base, ...draft.values } : base))
  const [restoredAt, setRestoredAt] = useState(fits ? draft.at : undefined)
  return { base, setBase, values, setValues, restoredAt, setRestoredAt }
}

/** What of a faulty field is shown: one that is nearly as tall as the view would leave its fault outside. */
export const scrollTargetOf = <E extends Pick<HTMLElement, 'offsetHeight'>>(
  item: E,
  note: E | null,
  viewHeight: number,
): E => (note && item.offsetHeight > viewHeight / 2 ? note : item)

/** Scrolls to a field and focuses its faulty control, once the faults are drawn. */
function focusField(root: HTMLElement | null, key: string): void {
  setTimeout(() => {
    const items = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const item = items.find(e => isFaultOf(key, defined(e.dataset.field)))
    const control =
      item?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      item?.querySelector<HTMLElement>('input, textarea, [role=combobox], button')
    control?.focus({ preventScroll: true })
    if (item) {
      const note = item.querySelector<HTMLElement>(':scope > .fault')
      scrollTargetOf(item, note, window.innerHeight).scrollIntoView({ block: 'center' })
    }
  }, 30)
}

/** The faults of a form and what changes them. */
function useFaults({ shape, keys, rules }: FormOptions, latest: RefObject<FormState>) {
  const { fields } = shape
  const [faults, setFaults] = useState<Faults>({})
  const root = useRef<HTMLDivElement>(null)
  /** A shown fault goes as soon as the value is right; a new one waits until the input loses the focus. */
  const clearMendedFaults = useCallback(
    (key: string, value: unknown): void =>
      setFaults(previous => {
        const shown = Object.keys(previous).filter(k => isFaultOf(k, key))
        if (!shown.length) return previous
        const others = Object.entries(previous).filter(([k]) => !shown.includes(k))
        const remaining = fieldFaults(key, defined(fields[key]), value).filter(([k]) => shown.includes(k))
        return Object.fromEntries([...others, ...remaining])
      }),
    [fields],
  )
  const validateField = useCallback(
    (key: string): void =>
      setFaults(previous => {
        const { values } = latest.current
        return Object.fromEntries([
          ...Object.entries(previous).filter(([k]) => !isFaultOf(k, key)),
          ...fieldFaults(key, defined(fields[key]), values[key]),
          ...Object.entries(rules?.(values) ?? {}).filter(([k]) => k === key),
        ])
      }),
    [fields, rules],
  )
  const validate = useCallback((): boolean => {
    const { values } = latest.current
    const all: Faults = {
      ...Object.fromEntries(keys.flatMap(k => (fields[k] ? fieldFaults(k, fields[k], values[k]) : []))),
      ...rules?.(values),
    }
    setFaults(all)
    const faultKeys = Object.keys(all)
    const first = keys.find(k => faultKeys.some(x => isFaultOf(x, k)))
    if (first) {
      focusField(root.current, first)
    }
    return faultKeys.length === 0
  }, [fields, keys, rules])
  const applyServerFaults = useCallback(
    (serverFaults: readonly FieldFault[]): FieldFault[] => {
      const { placed, firstKey, unplaced } = placeServerFaults(serverFaults, fields, keys, shape)
      setFaults(placed)
      if (firstKey) {
        focusField(root.current, firstKey)
      }
      return unplaced
    },
    [fields, keys],
  )
  return { faults, setFaults, root, clearMendedFaults, validateField, validate, applyServerFaults }
}

/** The state of a form: values as they are in memory, faults by key, a draft. */
export function useForm(options: FormOptions): Form {
  const { shape, keys, draftKey } = options
  const { fields } = shape
  const storageKey = useMemo(() => draftKey && draftStorageKey(draftKey), [draftKey])
  const { base, setBase, values, setValues, restoredAt, setRestoredAt } = useInitialValues(
    options,
    storageKey,
  )
  const dirty = keys.some(k => !isSameValue(values[k], base[k]))
  const latest = useRef<FormState>({ values, dirty, base })
  latest.current = { values, dirty, base }
  useUnsaved(dirty)
  const { setFaults, clearMendedFaults, ...faultState } = useFaults(options, latest)
  const draftKeys = useMemo(() => storableKeys(fields, keys), [fields, keys])
  const { flush, markWritten } = useDraft(storageKey, draftKeys, latest)
  const set = useCallback(
    (key: string, v: unknown): void => {
      setValues(previous => ({ ...previous, [key]: isEmpty(v) ? undefined : v }))
      clearMendedFaults(key, v)
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
  const reset = useCallback(
    (initial: Values): void => {
      const next = initialValues(fields, keys, initial)
      // At once, not at the next render: a form that is closed right after must not write its draft again.
      markWritten(next)
      latest.current = { values: next, dirty: false, base: next }
      setBase(next)
      setValues(next)
      setFaults({})
      setRestoredAt(undefined)
      if (storageKey) {
        dropDraft(storageKey)
      }
    },
    [fields, keys, storageKey],
  )
  return {
    values,
    readValues: useCallback((): Values => latest.current.values, []),
    dirty,
    restoredAt,
    keepsDraft: draftKey !== undefined,
    set,
    patch,
    ...faultState,
    reset,
    discard: useCallback((): void => reset(latest.current.base), [reset]),
    saveDraft: flush,
  }
}

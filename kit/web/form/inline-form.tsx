import { Button } from 'antd'
import { useId, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { Shape } from '#kit/contract/shape.ts'
import { readableValues } from '../controls/invalid-input.ts'
import { FormFields, groupKeys, type FormFieldGroup } from './form-fields.tsx'
import { useForm, type Faults } from './use-form.ts'
import { useSaving } from './use-saving.tsx'

interface InlineFormProps<I, A> {
  readonly shape: Shape<I>
  readonly groups: readonly FormFieldGroup[]
  readonly initial: Partial<I>
  readonly submitLabel: string
  /** Why nothing can be saved yet. */
  readonly disabledReason?: string | undefined
  /** Under which what is typed is kept until it is saved. */
  readonly draftKey?: string
  readonly rules?: (values: I) => Faults | undefined
  readonly save: (values: I) => Promise<A>
  readonly onDone: (answer: A) => void
  /** What the values result in, under the fields. */
  readonly below?: (values: Partial<I>) => ReactNode
  /** Beside the button. */
  readonly extraContent?: ReactNode
}

/** For the next record, once the emptied form is drawn; a form that has gone leaves the focus alone. */
const focusFirstField = (root: RefObject<HTMLElement | null>): void => {
  setTimeout(() => root.current?.querySelector<HTMLElement>('input, textarea, [role=combobox]')?.focus(), 30)
}

/** In a field of one line Enter sends, as on every short form; a list that is open takes it for itself. */
const isSendingEnter = ({
  key,
  target,
  nativeEvent,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !(ctrlKey || metaKey || shiftKey || altKey || nativeEvent.isComposing) &&
  target instanceof HTMLInputElement &&
  target.matches(':not([type=checkbox], [type=radio], [type=file], [role=combobox])') &&
  !target.closest('.ant-picker')

/** A short form within a page: saved in place, then emptied. */
export function InlineForm<I, A>({
  shape,
  groups,
  initial,
  submitLabel,
  disabledReason,
  draftKey,
  rules,
  save,
  onDone,
  below,
  extraContent,
}: InlineFormProps<I, A>) {
  const name = `g${useId().replace(/\W/g, '')}`
  const keys = groupKeys(groups)
  const form = useForm({ shape, keys, initial, draftKey, rules })
  const { busy, submit, banner, onKey } = useSaving({
    form,
    fields: shape.fields,
    keys,
    save: values => save(values as I),
    onDone: (answer: A) => {
      form.reset(initial)
      onDone(answer)
      focusFirstField(form.root)
    },
  })
  const onFormKey = (e: KeyboardEvent): void => {
    onKey(e)
    if (isSendingEnter(e)) {
      e.preventDefault()
      void submit()
    }
  }
  return (
    <div
      ref={form.root}
      className="inline-form"
      role="presentation"
      onKeyDown={disabledReason === undefined ? onFormKey : undefined}
    >
      {banner}
      <FormFields form={form} fields={shape.fields} groups={groups} name={name} columns={2} />
      {below?.(readableValues(form.values) as Partial<I>)}
      <div className="inline-form-actions">
        <Button
          type="primary"
          loading={busy}
          aria-busy={busy}
          disabled={disabledReason !== undefined}
          onClick={() => void submit()}
          title={disabledReason ?? 'Ctrl Enter'}
        >
          {submitLabel}
        </Button>
        {extraContent}
      </div>
    </div>
  )
}

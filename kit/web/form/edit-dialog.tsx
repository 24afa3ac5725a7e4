import { Drawer, Modal, type InputRef } from 'antd'
import { useRef, useId, useState, type ReactNode } from 'react'
import type { Shape } from '#kit/contract/shape.ts'
import { readableValues } from '../controls/invalid-input.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { ConfirmTextInput } from '../confirm-text-input.tsx'
import type { Values } from './drafts.ts'
import { findMissingKeys, FormFields, type FormFieldGroup } from './form-fields.tsx'
import { useFormGroups } from './form-groups.ts'
import { FormFooter, useSaving } from './use-saving.tsx'
import { useForm, type Faults } from './use-form.ts'

/** What a form begins with: some of its values, and rows of which only some members are known. */
export type InitialValues<I> =
  | Partial<I>
  | { readonly [K in keyof I]?: I[K] extends readonly (infer R)[] | undefined ? readonly Partial<R>[] : I[K] }

export interface FormSpec<I, A = unknown> {
  /** What is saved: the input of a call. */
  readonly shape: Shape<I>
  readonly title: ReactNode
  /** Without it all fields that belong on a form, in one group. */
  readonly groups?: readonly FormFieldGroup[] | undefined
  readonly initial?: InitialValues<I> | undefined
  /** Key of the draft: `building/new`, `building/12`; `undefined` where typed values make no sense later. */
  readonly draftKey: string | undefined
  readonly rules?: ((values: I) => Faults | undefined) | undefined
  readonly save: (values: I) => Promise<A>
  readonly loadCurrent?: (() => Promise<Values | undefined>) | undefined
  /** Label of the button: 保存, 新增楼栋. */
  readonly submitLabel?: string | undefined
  readonly danger?: true | undefined
  /** Under the fields: a preview or explanation that depends on the values. */
  readonly below?: ((values: Partial<I>) => ReactNode) | undefined
  /** What must be typed before a large action (`requiredConfirmText`). */
  readonly confirmText?: ((values: Partial<I>) => string | undefined) | undefined
}

interface EditDialogProps<I, A> extends FormSpec<I, A> {
  /** Why it cannot be sent as it is, shown beside its button. */
  readonly disabledReason?: ((values: Partial<I>) => string | undefined) | undefined
  readonly onClose: () => void
  readonly onDone: (answer: A) => void
  /** Without it by the number of fields: up to 8 in a dialog, more in a drawer. */
  readonly presentation?: 'dialog' | 'drawer'
}

/** What must be typed before a large action, and whether it has been. */
function useConfirmText(requiredText: string | undefined) {
  const [typed, setTyped] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const input = useRef<InputRef>(null)
  const isMistyped = requiredText !== undefined && typed.trim() !== requiredText
  const check = (): boolean => {
    setSubmitted(true)
    if (isMistyped) {
      input.current?.focus()
    }
    return !isMistyped
  }
  const drawInput = () =>
    requiredText !== undefined && (
      <ConfirmTextInput
        expectedText={requiredText}
        value={typed}
        onChange={setTyped}
        isWrong={submitted && isMistyped}
        inputRef={input}
      />
    )
  return { check, drawInput }
}

const focusable = 'input:not([type=file]):not(:disabled), textarea:not(:disabled)'

/**
 * Focuses the first field that must still be filled in, else the first of all, unless the person has begun to
 * type before the dialog was open.
 */
function focusFirstField(root: HTMLElement | null, missingKeys: readonly string[]): void {
  if (!root || root.contains(document.activeElement)) return
  const missing = missingKeys.map(key =>
    [...root.querySelectorAll(`[data-field="${key}"]`)]
      .find(field => field.querySelector(focusable) !== null)
      ?.querySelector<HTMLElement>(focusable),
  )
  const target = missing.find(input => input) ?? root.querySelector<HTMLElement>(`.ask :is(${focusable})`)
  target?.focus()
}

const maxDialogFields = 8

/**
 * Up to 8 fields in a dialog of 560, up to 20 in a drawer of 640 with its mask; more belong
 * on a page.
 */
export function EditDialog<I, A = unknown>({
  shape,
  title,
  groups: declaredGroups,
  initial: declaredInitial,
  draftKey,
  rules,
  save,
  loadCurrent,
  submitLabel = '保存',
  danger,
  below,
  confirmText,
  onClose,
  onDone,
  presentation,
  disabledReason: disabledReasonOf,
}: EditDialogProps<I, A>) {
  useFocusReturn()
  const { groups, keys, initial, projectName } = useFormGroups(shape, declaredGroups, declaredInitial)
  const [leaving, setLeaving] = useState(false)
  const name = `f${useId().replace(/\W/g, '')}`
  const form = useForm({ shape, keys, initial, draftKey, rules })
  const confirmation = useConfirmText(confirmText?.(readableValues(form.values) as Partial<I>))
  const disabledReason = disabledReasonOf?.(readableValues(form.values) as Partial<I>)
  const { busy, submit, banner, conflict, onKey } = useSaving({
    form,
    fields: shape.fields,
    keys,
    save: values => save(values as I),
    isReady: () => disabledReason === undefined && confirmation.check(),
    loadCurrent,
    onDone: answer => {
      form.reset(initial)
      onDone(answer)
    },
  })
  const close = (): void => {
    if (busy) return
    if (form.dirty) {
      setLeaving(true)
    } else {
      onClose()
    }
  }
  const leave = (keepDraft: boolean): void => {
    if (keepDraft) {
      form.saveDraft()
    } else {
      form.discard()
    }
    onClose()
  }
  const asDialog = presentation ? presentation === 'dialog' : keys.length <= maxDialogFields
  const body = (
    <div ref={form.root} className="form-body" role="presentation" onKeyDown={onKey}>
      {conflict ?? (
        <>
          {banner}
          <FormFields
            form={form}
            fields={shape.fields}
            groups={groups}
            name={name}
            columns={keys.length > 4 ? 2 : 1}
            fixed={Boolean(initial.id)}
          />
          {below?.(readableValues(form.values) as Partial<I>)}
          {confirmation.drawInput()}
        </>
      )}
    </div>
  )
  const shared = {
    open: true,
    title: (
      <>
        {title}
        {projectName && <small className="form-project">{projectName}</small>}
      </>
    ),
    footer: conflict ? null : (
      <FormFooter
        form={form}
        busy={busy}
        submit={() => void submit()}
        submitLabel={submitLabel}
        disabledReason={disabledReason}
        danger={danger}
        leaving={leaving}
        onStay={() => setLeaving(false)}
        onLeave={leave}
        onCancel={close}
        alignRight={asDialog}
      />
    ),
    mask: { closable: false },
    afterOpenChange: (open: boolean): void => {
      if (open) {
        focusFirstField(form.root.current, findMissingKeys(shape.fields, groups, form.values))
      }
    },
  }
  return asDialog ? (
    <Modal
      {...shared}
      width={560}
      onCancel={close}
      styles={{ body: { maxHeight: 'calc(100vh - 260px)', overflowY: 'auto', paddingTop: 12 } }}
    >
      {body}
    </Modal>
  ) : (
    <Drawer {...shared} size={innerWidth < 760 ? '100%' : 640} onClose={close}>
      {body}
    </Drawer>
  )
}

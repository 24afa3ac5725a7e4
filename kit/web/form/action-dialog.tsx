import { useState, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { useSend } from '../query.ts'
import { toastResult } from '../record-actions.ts'
import { EditDialog } from './edit-dialog.tsx'
import { draftKeyOf } from './drafts.ts'
import type { FormFieldGroup } from './form-fields.tsx'
import type { Faults } from './use-form.ts'

/**
 * One action on records as a short form: the call that does it, what it asks, what it says when it is done.
 */
interface ActionForm<T, I, O> {
  readonly call: Call<I, O>
  readonly title: (record: T) => ReactNode
  readonly submitLabel: string
  /** What it does cannot be undone: it is confirmed in one go, so nothing typed is kept as a draft. */
  readonly danger?: true
  readonly keys: FormFieldGroup['keys']
  /** Names the records; sent with what the form asks, never asked itself. */
  readonly target: (record: T) => Partial<NoInfer<I>>
  /** What the form begins with, beside that. */
  readonly initial?: (record: T) => Partial<NoInfer<I>> | undefined
  /** What the controls get besides the values: the project that a reference is chosen in. */
  readonly context?: (record: T) => Readonly<Record<string, unknown>>
  readonly rules?: (values: NoInfer<I>, record: T) => Faults | undefined
  readonly below?: (values: Partial<NoInfer<I>>, record: T) => ReactNode
  /** Why it cannot be sent as it is, shown beside its button. */
  readonly disabledReason?: (values: Partial<NoInfer<I>>, record: T) => string | undefined
  /** The answer of a bulk call is reported by its figures instead. */
  readonly doneText: (record: T, answer: NoInfer<O>) => string
  readonly presentation?: 'dialog' | 'drawer'
}

export interface ActionDialogProps<T, O = unknown> {
  readonly record: T
  readonly onClose: () => void
  /** Instead of closing. */
  readonly onDone?: (answer: O) => void
}

type ActionDialog<T, O = unknown> = (props: ActionDialogProps<T, O>) => ReactNode

/**
 * The dialog of such a form; the records are those it was opened with, whatever a list fetches in the
 * meantime.
 */
export const actionDialog = <T, I, O>(form: ActionForm<T, I, O>): ActionDialog<T, O> =>
  function ActionDialog({ record, onClose, onDone = onClose }) {
    const { call, rules, below, disabledReason } = form
    const sending = useSend(call, { quiet: true })
    const [{ target, initial, groups, draftKey }] = useState(() => {
      const named = form.target(record)
      return {
        target: named,
        initial: { ...form.context?.(record), ...named, ...form.initial?.(record) },
        groups: [{ keys: form.keys }],
        draftKey: form.danger ? undefined : draftKeyOf(call, named),
      }
    })
    return (
      <EditDialog
        shape={call.input}
        title={form.title(record)}
        groups={groups}
        initial={initial}
        draftKey={draftKey}
        submitLabel={form.submitLabel}
        danger={form.danger}
        presentation={form.presentation ?? 'dialog'}
        rules={rules && (values => rules(values, record))}
        disabledReason={disabledReason && (values => disabledReason(values, record))}
        below={below && (values => below(values, record))}
        save={values => sending.mutateAsync({ ...values, ...target })}
        onClose={onClose}
        onDone={answer => {
          toastResult(answer, form.doneText(record, answer))
          onDone(answer)
        }}
      />
    )
  }

import { Button } from 'antd'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Fields } from '#kit/contract/field.ts'
import { Refused, resultCode, type FieldFault } from '#kit/contract/wire.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { errorText } from '../list/list-feedback.tsx'
import { toast } from '../toast.ts'
import type { Values } from './drafts.ts'
import type { Form } from './use-form.ts'

// Fetched when somebody else has changed the record in the meantime.
const EditConflict = lazyComponent(() => import('./edit-conflict.tsx').then(m => m.EditConflict))

export interface Saving {
  readonly busy: boolean
  readonly submit: () => Promise<void>
  /** Above the fields: a restored draft, a refusal. */
  readonly banner: ReactNode
  /** Somebody else's changes, to compare; shown instead of the fields. */
  readonly conflict: ReactNode | undefined
  readonly onKey: (e: KeyboardEvent) => void
}

interface SavingOptions<A> {
  readonly form: Form
  readonly fields: Fields
  readonly keys: readonly string[]
  readonly save: (values: any) => Promise<A>
  /** Called once the fields are valid: whether it can be sent now. */
  readonly isReady?: (() => boolean | Promise<boolean>) | undefined
  /** The record as it is now, to compare after a conflict (10005). */
  readonly loadCurrent?: (() => Promise<Values | undefined>) | undefined
  readonly onDone: (answer: A) => void
}

/** Sends valid values; what the server refuses is shown beside its field, or above the form. */
function useSubmit<A>({ form, save, isReady, loadCurrent, onDone }: SavingOptions<A>) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [theirValues, setTheirs] = useState<Values>()
  const showFailure = async (failure: unknown): Promise<void> => {
    form.saveDraft()
    if (
      failure instanceof Refused &&
      failure.code === resultCode.invalidInput &&
      Array.isArray(failure.data)
    ) {
      const faults: readonly FieldFault[] = failure.data
      const unplaced = form.applyServerFaults(faults)
      setProblem(unplaced.map(fault => fault.Message).join('；') || undefined)
      if (!faults.length) {
        setProblem(failure.message)
      }
    } else if (failure instanceof Refused && failure.code === resultCode.stale && loadCurrent) {
      const reloaded = await loadCurrent().catch(() => undefined)
      setTheirs(reloaded)
      setProblem(reloaded ? undefined : failure.message)
    } else {
      const { message, hint } = errorText(failure)
      setProblem([message, hint].filter(Boolean).join('，'))
    }
  }
  const submit = async (): Promise<void> => {
    setProblem(undefined)
    if (busy || !form.validate()) return
    const ready = isReady?.()
    if (ready === false) return
    setBusy(true)
    try {
      if ((await ready) === false) return
      onDone(await save(form.readValues()))
    } catch (error) {
      await showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, theirs: theirValues, setTheirs, submit }
}

/** Ctrl Enter sends, Ctrl S saves the draft. */
function handleFormKey(e: KeyboardEvent, form: Form, submit: () => Promise<void>): void {
  if (!(e.ctrlKey || e.metaKey) || e.nativeEvent.isComposing) return
  if (e.key === 'Enter') {
    e.preventDefault()
    e.stopPropagation()
    void submit()
  }
  if (e.key.toLowerCase() === 's') {
    e.preventDefault()
    e.stopPropagation()
    form.saveDraft()
    toast.success(form.dirty ? '已存草稿' : '无改动')
  }
}

function FormBanner({ form, problem }: { readonly form: Form; readonly problem: string | undefined }) {
  return (
    <>
      {problem && (
        <div className="form-band bad" role="alert">
          <span>{problem}</span>
        </div>
      )}
      {form.restoredAt && (
        <div className="form-band">
          <span>已恢复 {form.restoredAt.slice(5, 16)} 的草稿</span>
          <span className="spring" />
          <button type="button" className="linkish" onClick={form.discard}>
            丢弃草稿
          </button>
        </div>
      )}
    </>
  )
}

/**
 * Validates, sends, and shows the server's faults beside their fields. Nothing typed is lost, whatever
 * happens.
 */
export function useSaving<A>(options: SavingOptions<A>): Saving {
  const { form, fields, keys } = options
  const { busy, problem, theirs: theirValues, setTheirs, submit } = useSubmit(options)
  const resolveConflict = (chosen: Values): void => {
    form.reset({ ...form.readValues(), ...theirValues, version: theirValues?.version })
    form.patch(chosen)
    setTheirs(undefined)
  }
  return {
    busy,
    submit,
    banner: <FormBanner form={form} problem={problem} />,
    onKey: e => handleFormKey(e, form, submit),
    conflict: theirValues && (
      <EditConflict
        fields={fields}
        keys={keys}
        myValues={form.values}
        theirValues={theirValues}
        onSettle={resolveConflict}
        onBack={() => setTheirs(undefined)}
      />
    ),
  }
}

/** The footer of a form; while the person is leaving it asks what to do with the changes. */
export function FormFooter({
  form,
  busy,
  submit,
  submitLabel,
  disabledReason,
  danger,
  leaving,
  onStay,
  onLeave,
  onCancel,
  alignRight,
}: {
  readonly form: Pick<Form, 'dirty' | 'keepsDraft'>
  readonly busy: boolean
  readonly submit: () => void
  readonly submitLabel: string
  /** Beside the button that it disables. */
  readonly disabledReason?: string | undefined
  readonly danger?: true | undefined
  readonly leaving: boolean
  readonly onStay: () => void
  readonly onLeave: (keep: boolean) => void
  readonly onCancel?: (() => void) | undefined
  readonly alignRight?: boolean
}) {
  if (leaving)
    return (
      <div className="form-foot" role="alertdialog" aria-label="有未保存的修改">
        <span>有未保存的修改</span>
        <span className="spring" />
        {form.keepsDraft && <Button onClick={() => onLeave(true)}>保留草稿</Button>}
        <Button danger onClick={() => onLeave(false)}>
          放弃
        </Button>
        <Button type="primary" autoFocus onClick={onStay}>
          继续编辑
        </Button>
      </div>
    )
  const dirtyNote = disabledReason ? (
    <span className="dirty" role="status">
      {disabledReason}
    </span>
  ) : (
    form.dirty && (
      <span className="dirty">{form.keepsDraft ? '有未保存的修改，草稿会自动保留' : '有未保存的修改'}</span>
    )
  )
  const save = (
    <Button
      type="primary"
      danger={danger ?? false}
      loading={busy}
      disabled={disabledReason !== undefined}
      aria-busy={busy}
      onClick={submit}
      title="Ctrl Enter"
    >
      {submitLabel}
    </Button>
  )
  const cancel = onCancel && (
    <Button onClick={onCancel} disabled={busy}>
      取消
    </Button>
  )
  return (
    <div className="form-foot">
      {alignRight ? (
        <>
          {dirtyNote}
          <span className="spring" />
          {cancel}
          {save}
        </>
      ) : (
        <>
          {save}
          {cancel}
          <span className="spring" />
          {dirtyNote}
        </>
      )}
    </div>
  )
}

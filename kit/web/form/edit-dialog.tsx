import { Drawer, Modal, type InputRef } from 'antd'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { Shape } from '#kit/contract/shape.ts'
import { useSession } from '../session.ts'
import { ConfirmTextInput } from '../confirm-text-input.tsx'
import type { Values } from './drafts.ts'
import { FormFields, formKeys, groupKeys, type FormFieldGroup } from './form-fields.tsx'
import { FormFooter, useSaving } from './use-saving.tsx'
import { useForm, type Faults } from './use-form.ts'

export interface FormSpec<I> {
  /** What is saved: the input of the call. */
  readonly shape: Shape<I>
  readonly title: ReactNode
  /** All that belongs on a form, in one group, otherwise. */
  readonly groups?: readonly FormFieldGroup[] | undefined
  readonly initial?: Partial<I> | undefined
  /** Names the draft: `building/new`, `building/12`. */
  readonly draftKey?: string | undefined
  readonly rules?: ((values: I) => Faults | undefined) | undefined
  readonly save: (values: I) => Promise<unknown>
  readonly loadCurrent?: (() => Promise<Values | undefined>) | undefined
  /** The word on the button: 保存, 新增楼栋. */
  readonly submitLabel?: string | undefined
  /** Under the fields: a preview, an explanation that hangs on the values. */
  readonly below?: ((values: Partial<I>) => ReactNode) | undefined
  /** What must be typed before so large an act (`requiredConfirmText`). */
  readonly confirmText?: ((values: Partial<I>) => string | undefined) | undefined
}

/** Groups of a form; the project is asked only where none is chosen above. */
export function useFormGroups<I>(
  of: Shape<I>,
  groups: readonly FormFieldGroup[] | undefined,
  initial: Partial<I> | undefined,
): {
  readonly groups: readonly FormFieldGroup[]
  readonly keys: readonly string[]
  readonly initial: Values
  readonly estate: string | undefined
} {
  const project = useSession(s => s.project)
  const nearest = useSession(s => s.signed?.nearestProjectCode)
  const code = project ? project.code : nearest
  const chosen = code && code !== '0' ? code : undefined
  return useMemo(() => {
    const own: readonly FormFieldGroup[] = groups ?? [{ keys: formKeys(of.fields) }]
    const f = of.fields.projectCode
    const given = initial as Values | undefined
    const asks = groupKeys(own)
    const needs = f !== undefined && f.required && f.dataDomain === 'project' && !asks.includes('projectCode')
    const ask = needs && !given?.projectCode && !chosen
    const all = ask
      ? [{ ...own[0], keys: [{ key: 'projectCode', wide: true }, ...(own[0]?.keys ?? [])] }, ...own.slice(1)]
      : own
    return {
      groups: all,
      keys: groupKeys(all),
      initial: { ...(needs && chosen ? { projectCode: chosen } : {}), ...given },
      estate:
        needs && !ask && (!given?.projectCode || given.projectCode === chosen) ? project?.name : undefined,
    }
  }, [of, groups, initial, chosen, project])
}

interface EditDialogProps<I> extends FormSpec<I> {
  readonly onClose: () => void
  readonly onDone: (answer: unknown) => void
  /** By the number of fields otherwise: 8 in a dialog, more in a drawer. */ readonly presentation?:
    | 'dialog'
    | 'drawer'
}

/**
 * Up to 8 fields in a dialog of 560, up to 20 in a drawer of 640 with its mask (screens.md §5); more belong
 * on a page.
 */
export function EditDialog<I>({
  shape: of,
  title,
  groups: given,
  initial,
  draftKey,
  rules,
  save,
  loadCurrent,
  submitLabel = '保存',
  below,
  confirmText,
  onClose,
  onDone,
  presentation,
}: EditDialogProps<I>) {
  const { groups, keys, initial: begin, estate } = useFormGroups(of, given, initial)
  const [leaving, setLeaving] = useState(false)
  const form = useForm({ shape: of, keys, initial: begin, draftKey, rules })
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(false)
  const word = useRef<InputRef>(null)
  const must = confirmText?.(form.values as Partial<I>)
  const mistyped = must !== undefined && typed.trim() !== must
  const ready = (): boolean => {
    setPressed(true)
    if (mistyped) {
      word.current?.focus()
    }
    return !mistyped
  }
  const { busy, submit, banner, conflict, onKey } = useSaving({
    form,
    fields: of.fields,
    keys,
    save: v => save(v as I),
    isReady: ready,
    loadCurrent,
    onDone: a => {
      form.reset(begin)
      onDone(a)
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
  const leave = (keep: boolean): void => {
    if (keep) {
      form.saveDraft()
    } else {
      form.discard()
    }
    onClose()
  }
  const asDialog = presentation ? presentation === 'dialog' : keys.length <= 8
  const name = `f-${draftKey?.replace(/\W/g, '-') ?? 'x'}`
  const body = (
    <div ref={form.root} className="form-body" onKeyDown={onKey}>
      {conflict ?? (
        <>
          {banner}
          <FormFields
            form={form}
            fields={of.fields}
            groups={groups}
            name={name}
            columns={keys.length > 4 ? 2 : 1}
            fixed={!!begin.id}
          />
          {below?.(form.values as Partial<I>)}
          {must !== undefined && (
            <ConfirmTextInput
              expectedText={must}
              value={typed}
              onChange={setTyped}
              isWrong={pressed && mistyped}
              inputRef={word}
            />
          )}
        </>
      )}
    </div>
  )
  const foot = conflict ? null : (
    <FormFooter
      form={form}
      busy={busy}
      submit={() => void submit()}
      submitLabel={submitLabel}
      leaving={leaving}
      onStay={() => setLeaving(false)}
      onLeave={leave}
      onCancel={close}
      alignRight={asDialog}
    />
  )
  const head = (
    <>
      {title}
      {estate && <small className="form-estate">{estate}</small>}
    </>
  )
  // Who has begun to type before the dialog stood still is not moved to its first field.
  const focused = (open: boolean): void => {
    if (open && !form.root.current?.contains(document.activeElement)) {
      form.root.current
        ?.querySelector<HTMLElement>(
          '.ask input:not([type=file]):not(:disabled), .ask textarea:not(:disabled)',
        )
        ?.focus()
    }
  }
  return asDialog ? (
    <Modal
      open
      title={head}
      width={560}
      footer={foot}
      onCancel={close}
      mask={{ closable: false }}
      afterOpenChange={focused}
      styles={{ body: { maxHeight: 'calc(100vh - 260px)', overflowY: 'auto', paddingTop: 12 } }}
    >
      {body}
    </Modal>
  ) : (
    <Drawer
      open
      title={head}
      size={innerWidth < 760 ? '100%' : 640}
      footer={foot}
      onClose={close}
      mask={{ closable: false }}
      afterOpenChange={focused}
    >
      {body}
    </Drawer>
  )
}

import { Drawer, Modal, type InputRef } from 'antd'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { Shape } from '#kit/contract/shape.ts'
import { useSession } from '../session.ts'
import { Typed } from '../typed.tsx'
import type { Values } from './drafts.ts'
import { FormFields, formKeys, keysOf, type AskGroup } from './form-fields.tsx'
import { FormFoot, useSaving } from './saving.tsx'
import { useForm, type Faults } from './state.ts'

export interface FormSpec<I> {
  /** What is saved: the input of the call. */
  readonly of: Shape<I>
  readonly title: ReactNode
  /** All that belongs on a form, in one group, otherwise. */
  readonly groups?: readonly AskGroup[] | undefined
  readonly initial?: Partial<I> | undefined
  /** Names the draft: `building/new`, `building/12`. */
  readonly draft?: string | undefined
  readonly rules?: ((values: I) => Faults | undefined) | undefined
  readonly save: (values: I) => Promise<unknown>
  readonly load?: (() => Promise<Values | undefined>) | undefined
  /** The word on the button: 保存, 新增楼栋. */
  readonly words?: string | undefined
  /** Under the fields: a preview, an explanation that hangs on the values. */
  readonly below?: ((values: Partial<I>) => ReactNode) | undefined
  /** What must be typed before so large an act (`mustType`). */
  readonly type?: ((values: Partial<I>) => string | undefined) | undefined
}

/** Groups of a form; the project is asked only where none is chosen above. */
export function useGroups<I>(
  of: Shape<I>,
  groups: readonly AskGroup[] | undefined,
  initial: Partial<I> | undefined,
): {
  readonly groups: readonly AskGroup[]
  readonly keys: readonly string[]
  readonly initial: Values
  readonly estate: string | undefined
} {
  const project = useSession(s => s.project)
  const nearest = useSession(s => s.signed?.nearestProjectCode)
  const code = project ? project.code : nearest
  const chosen = code && code !== '0' ? code : undefined
  return useMemo(() => {
    const own: readonly AskGroup[] = groups ?? [{ keys: formKeys(of.fields) }]
    const f = of.fields.projectCode
    const given = initial as Values | undefined
    const asks = keysOf(own)
    const needs = f !== undefined && f.required && f.within === 'project' && !asks.includes('projectCode')
    const ask = needs && !given?.projectCode && !chosen
    const all = ask
      ? [{ ...own[0], keys: [{ key: 'projectCode', wide: true }, ...(own[0]?.keys ?? [])] }, ...own.slice(1)]
      : own
    return {
      groups: all,
      keys: keysOf(all),
      initial: { ...(needs && chosen ? { projectCode: chosen } : {}), ...given },
      estate:
        needs && !ask && (!given?.projectCode || given.projectCode === chosen) ? project?.name : undefined,
    }
  }, [of, groups, initial, chosen, project])
}

interface Props<I> extends FormSpec<I> {
  readonly onClose: () => void
  readonly onDone: (answer: unknown) => void
  /** By the number of fields otherwise: 8 in a dialog, more in a drawer. */ readonly as?: 'dialog' | 'drawer'
}

/**
 * Up to 8 fields in a dialog of 560, up to 20 in a drawer of 640 with its mask (screens.md §5); more belong
 * on a page.
 */
export function EditDialog<I>({
  of,
  title,
  groups: given,
  initial,
  draft,
  rules,
  save,
  load,
  words = '保存',
  below,
  type,
  onClose,
  onDone,
  as,
}: Props<I>) {
  const { groups, keys, initial: begin, estate } = useGroups(of, given, initial)
  const [leaving, setLeaving] = useState(false)
  const form = useForm({ shape: of, keys, initial: begin, draft, rules })
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(false)
  const word = useRef<InputRef>(null)
  const must = type?.(form.values as Partial<I>)
  const mistyped = must !== undefined && typed.trim() !== must
  const ready = (): boolean => {
    setPressed(true)
    if (mistyped) {
      word.current?.focus()
    }
    return !mistyped
  }
  const { busy, submit, band, conflict, onKey } = useSaving({
    form,
    fields: of.fields,
    keys,
    save: v => save(v as I),
    ready,
    load,
    done: a => {
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
      form.flush()
    } else {
      form.discard()
    }
    onClose()
  }
  const asDialog = as ? as === 'dialog' : keys.length <= 8
  const name = `f-${draft?.replace(/\W/g, '-') ?? 'x'}`
  const body = (
    <div ref={form.root} className="form-body" onKeyDown={onKey}>
      {conflict ?? (
        <>
          {band}
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
            <Typed must={must} value={typed} onChange={setTyped} wrong={pressed && mistyped} at={word} />
          )}
        </>
      )}
    </div>
  )
  const foot = conflict ? null : (
    <FormFoot
      form={form}
      busy={busy}
      submit={() => void submit()}
      words={words}
      leaving={leaving}
      onStay={() => setLeaving(false)}
      onLeave={leave}
      onCancel={close}
      right={asDialog}
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

import { useState, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { useSend } from '../query.ts'
import { later } from '../later.tsx'
import { send } from '../send.ts'
import { toast } from '../toast.ts'
import type { Verb } from '../verb.tsx'
import type { Values } from './drafts.ts'
import type { AskGroup } from './form-fields.tsx'
import type { Faults } from './state.ts'

/** `EditDialog`, fetched when it is first drawn: for screens that a person begins with. */
export const EditDialog = later(() =>
  import('./edit-dialog.tsx').then(m => m.EditDialog as never),
) as typeof import('./edit-dialog.tsx').EditDialog

interface Spec<A, E, T> {
  /** 楼栋. */
  readonly what: string
  readonly add?: Call<A, any> | undefined
  readonly edit?: Call<E, any> | undefined
  /**
   * Fetches the record as it is now: before editing where the list's rows are short, and after a conflict.
   */
  readonly one?: Call<{ readonly id: number }, T> | ((id: number) => Promise<T | undefined>)
  /** The row itself is enough to edit; `one` is asked after a conflict only. */
  readonly rowIsWhole?: boolean
  readonly name: (row: T) => string
  readonly groups?: readonly AskGroup[] | undefined
  readonly initial?: Partial<A>
  readonly rules?: ((values: any) => Faults | undefined) | undefined
  readonly below?: (values: any) => ReactNode
  readonly as?: 'dialog' | 'drawer'
  /** May a row be edited; the reason where not. */
  readonly why?: (row: T) => string | undefined
  readonly onSaved?: (answer: any) => void
}

export interface Edit<A, T> {
  /** Render it beside the list. */
  readonly dialog: ReactNode
  readonly add: Verb
  readonly edit: (row: T) => Verb
  readonly openNew: (initial?: Partial<A>) => void
  readonly openRow: (row: T) => Promise<void>
}

interface Open {
  readonly row?: Values | undefined
  readonly initial: Values
}

/**
 * Adding and editing by form: `const form = useEdit({ what: '楼栋', add, edit, name: b => b.name })`, then
 * `primary={form.add} row={b => [form.edit(b)]}` and `{form.dialog}`.
 */
export function useEdit<A, E, T extends { readonly id: number }>(s: Spec<A, E, T>): Edit<A, T> {
  const [open, setOpen] = useState<Open>()
  const call = (open?.row ? s.edit : s.add) as Call<any, any> | undefined
  const sending = useSend(call ?? ((s.add ?? s.edit) as Call<any, any>), { quiet: true })
  const fetchOne = (id: number): Promise<T | undefined> =>
    typeof s.one === 'function' ? s.one(id) : s.one ? send(s.one, { id }) : Promise.resolve(undefined)
  const openNew = (initial: Partial<A> = {}): void => setOpen({ initial: { ...s.initial, ...initial } })
  const openRow = async (row: T): Promise<void> => {
    const whole = s.one && !s.rowIsWhole ? await fetchOne(row.id) : row
    if (whole) {
      setOpen({ row: whole as unknown as Values, initial: whole as unknown as Values })
    }
  }
  const mayOf = (c: Call<any, any> | undefined): Verb['may'] =>
    typeof c?.needs === 'object' ? c.needs : undefined
  const dialog = open && call && (
    <EditDialog
      of={call.input}
      title={open.row ? `编辑${s.what}「${s.name(open.row as never)}」` : `新增${s.what}`}
      groups={s.groups}
      initial={open.initial}
      draft={`${call.at.replace(/^\S+ /, '')}/${open.row ? String(open.row.id) : 'new'}`}
      rules={s.rules}
      below={s.below}
      {...(s.as ? { as: s.as } : {})}
      words={open.row ? '保存' : `新增${s.what}`}
      save={v => sending.mutateAsync(v as never)}
      load={
        open.row && s.one
          ? async () => (await fetchOne(Number(open.row!.id))) as unknown as Values
          : undefined
      }
      onClose={() => setOpen(undefined)}
      onDone={a => {
        const said = (a ?? open.initial) as T
        setOpen(undefined)
        toast.success(`已${open.row ? '保存' : '新增'}${s.what}${a ? `「${s.name(said)}」` : ''}`)
        s.onSaved?.(a)
      }}
    />
  )
  return {
    dialog: dialog || null,
    openNew,
    openRow,
    add: { label: `新增${s.what}`, may: mayOf(s.add), run: () => openNew() },
    edit: row => ({ label: '编辑', may: mayOf(s.edit), why: s.why?.(row), run: () => openRow(row) }),
  }
}

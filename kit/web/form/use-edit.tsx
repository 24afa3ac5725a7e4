import { defined } from '#kit/domain/defined.ts'
import { useState, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { useSend } from '../query.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { send } from '../send.ts'
import { toast } from '../toast.ts'
import type { Action } from '../action.tsx'
import type { Values } from './drafts.ts'
import type { FormFieldGroup } from './form-fields.tsx'
import type { Faults } from './use-form.ts'

/** `EditDialog`, fetched when it is first drawn: for screens that a person begins with. */
export const EditDialog = lazyComponent(() =>
  import('./edit-dialog.tsx').then(m => m.EditDialog as never),
) as typeof import('./edit-dialog.tsx').EditDialog

interface EditOptions<A, E, T> {
  /** 楼栋. */
  readonly itemName: string
  readonly add?: Call<A, any> | undefined
  readonly edit?: Call<E, any> | undefined
  /**
   * Fetches the record as it is now: before editing where the list's rows hold only part of it, and after a
   * conflict.
   */
  readonly load?: Call<{ readonly id: number }, T> | ((id: number) => Promise<T | undefined>)
  /** The row itself is enough to edit; `load` is called only after a conflict. */
  readonly isRowComplete?: boolean
  readonly nameOf: (row: T) => string
  readonly groups?: readonly FormFieldGroup[] | undefined
  readonly initial?: Partial<A>
  readonly rules?: ((values: any) => Faults | undefined) | undefined
  readonly below?: (values: any) => ReactNode
  readonly presentation?: 'dialog' | 'drawer'
  /** Why a row cannot be edited; it can without a reason. */
  readonly editDisabledReason?: (row: T) => string | undefined
  readonly onSaved?: (answer: any) => void
}

export interface EditForm<A, T> {
  /** Render it beside the list. */
  readonly dialog: ReactNode
  readonly addAction: Action
  readonly editAction: (row: T) => Action
  readonly openCreate: (initial?: Partial<A>) => void
  readonly openEdit: (row: T) => Promise<void>
}

interface OpenForm {
  readonly row?: Values | undefined
  readonly initial: Values
}

/** The right that a call needs, for the action that makes it; none where everyone may. */
export const permissionOf = (call: Pick<Call, 'needs'> | undefined): Action['needs'] =>
  typeof call?.needs === 'object' ? call.needs : undefined

/**
 * Adding and editing by form: `const form = useEdit({ itemName: '楼栋', add, edit, nameOf: b => b.name })`,
 * then `primaryAction={form.addAction} rowActions={b => [form.editAction(b)]}` and `{form.dialog}`.
 */
export function useEdit<A, E, T extends { readonly id: number }>(
  options: EditOptions<A, E, T>,
): EditForm<A, T> {
  const [open, setOpen] = useState<OpenForm>()
  const activeCall = (open?.row ? options.edit : options.add) as Call<any, any> | undefined
  const mutation = useSend(activeCall ?? ((options.add ?? options.edit) as Call<any, any>), { quiet: true })
  const fetchOne = (id: number): Promise<T | undefined> =>
    typeof options.load === 'function'
      ? options.load(id)
      : options.load
        ? send(options.load, { id })
        : Promise.resolve(undefined)
  const openNew = (initial: Partial<A> = {}): void => setOpen({ initial: { ...options.initial, ...initial } })
  const openRow = async (row: T): Promise<void> => {
    const record = options.load && !options.isRowComplete ? await fetchOne(row.id) : row
    if (record) {
      setOpen({ row: record as unknown as Values, initial: record as unknown as Values })
    }
  }
  const dialog = open && activeCall && (
    <EditDialog
      shape={activeCall.input}
      title={
        open.row
          ? `编辑${options.itemName}「${options.nameOf(open.row as never)}」`
          : `新增${options.itemName}`
      }
      groups={options.groups}
      initial={open.initial}
      draftKey={`${activeCall.route.replace(/^\S+ /, '')}/${open.row ? String(open.row.id) : 'new'}`}
      rules={options.rules}
      below={options.below}
      {...(options.presentation ? { presentation: options.presentation } : {})}
      submitLabel={open.row ? '保存' : `新增${options.itemName}`}
      save={v => mutation.mutateAsync(v as never)}
      loadCurrent={
        open.row && options.load
          ? async () => (await fetchOne(Number(defined(open.row).id))) as unknown as Values
          : undefined
      }
      onClose={() => setOpen(undefined)}
      onDone={answer => {
        const saved = (answer ?? open.initial) as T
        setOpen(undefined)
        toast.success(
          `已${open.row ? '保存' : '新增'}${options.itemName}${answer ? `「${options.nameOf(saved)}」` : ''}`,
        )
        options.onSaved?.(answer)
      }}
    />
  )
  return {
    dialog: dialog || null,
    openCreate: openNew,
    openEdit: openRow,
    addAction: { label: `新增${options.itemName}`, needs: permissionOf(options.add), run: () => openNew() },
    editAction: row => ({
      label: '编辑',
      needs: permissionOf(options.edit),
      disabledReason: options.editDisabledReason?.(row),
      run: () => openRow(row),
    }),
  }
}

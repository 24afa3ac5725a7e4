import { parseId, type Id } from '#kit/domain/id.ts'
import { useState, type ReactNode } from 'react'
import { pathOf, type Call } from '#kit/contract/call.ts'
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
  readonly load?: Call<{ readonly id: Id }, T> | ((id: Id) => Promise<T | undefined>)
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
  /** The message once it is saved; by default the record's name. */
  readonly savedText?: ((row: T, isNew: boolean) => string) | undefined
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

interface EditFormDialogProps<A, E, T> {
  readonly options: EditOptions<A, E, T>
  readonly open: OpenForm
  readonly call: Call<any, any>
  readonly save: (values: unknown) => Promise<unknown>
  readonly fetchRecord: (id: Id) => Promise<T | undefined>
  readonly onClose: () => void
}

/** The form of the record that is being added or edited. */
function EditFormDialog<A, E, T>({
  options,
  open,
  call,
  save,
  fetchRecord,
  onClose,
}: EditFormDialogProps<A, E, T>) {
  const { row } = open
  const actionName = row ? '保存' : '新增'
  const { itemName, load, nameOf, presentation } = options
  const reportSaved = (answer: unknown): void => {
    onClose()
    const saved = answer as T | undefined
    const named = `已${actionName}${itemName}${saved ? `「${nameOf(saved)}」` : ''}`
    toast.success((saved && options.savedText?.(saved, !row)) ?? named)
    options.onSaved?.(answer)
  }
  return (
    <EditDialog
      shape={call.input}
      title={row ? `编辑${itemName}「${nameOf(row as never)}」` : `新增${itemName}`}
      groups={options.groups}
      initial={open.initial}
      draftKey={`${pathOf(call)}/${row ? String(row.id) : 'new'}`}
      rules={options.rules}
      below={options.below}
      {...(presentation ? { presentation } : {})}
      submitLabel={row ? '保存' : `新增${itemName}`}
      save={save}
      loadCurrent={
        row && load ? async () => (await fetchRecord(parseId(row.id))) as Values | undefined : undefined
      }
      onClose={onClose}
      onDone={reportSaved}
    />
  )
}

/** The right that a call needs, for the action that makes it; none where everyone may. */
export const permissionOf = (call: Pick<Call, 'needs'> | undefined): Action['needs'] =>
  typeof call?.needs === 'object' ? call.needs : undefined

/**
 * Adding and editing by form: `const form = useEdit({ itemName: '楼栋', add, edit, nameOf: b => b.name })`,
 * then `primaryAction={form.addAction} rowActions={b => [form.editAction(b)]}` and `{form.dialog}`.
 */
export function useEdit<A, E, T extends { readonly id: Id }>(options: EditOptions<A, E, T>): EditForm<A, T> {
  const [open, setOpen] = useState<OpenForm>()
  const { add, edit, itemName, load } = options
  const call: Call<any, any> | undefined = open?.row ? edit : add
  const mutation = useSend(call ?? add ?? edit, { quiet: true })
  const fetchRecord = async (id: Id): Promise<T | undefined> => {
    if (!load) return undefined
    return typeof load === 'function' ? load(id) : send(load, { id })
  }
  const openCreate = (initial: Partial<A> = {}): void =>
    setOpen({ initial: { ...options.initial, ...initial } })
  const openEdit = async (row: T): Promise<void> => {
    const record = load && !options.isRowComplete ? await fetchRecord(row.id) : row
    if (record) {
      setOpen({ row: { ...record }, initial: { ...record } })
    }
  }
  const dialog = open && call && (
    <EditFormDialog
      options={options}
      open={open}
      call={call}
      save={values => mutation.mutateAsync(values)}
      fetchRecord={fetchRecord}
      onClose={() => setOpen(undefined)}
    />
  )
  return {
    dialog: dialog ?? null,
    openCreate,
    openEdit,
    addAction: { label: `新增${itemName}`, needs: permissionOf(add), run: () => openCreate() },
    editAction: row => ({
      label: '编辑',
      needs: permissionOf(edit),
      disabledReason: options.editDisabledReason?.(row),
      run: () => openEdit(row),
    }),
  }
}

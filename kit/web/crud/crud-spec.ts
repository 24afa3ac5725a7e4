import type { Id } from '#kit/domain/id.ts'
import type { ComponentType, ReactNode } from 'react'
import type { Call, Needs, Permission } from '#kit/contract/call.ts'
import type { SomePaths } from '#kit/contract/crud-screens.ts'
import type { CrudExport, CrudImport } from '#kit/contract/crud-sheet.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { Action, Actions } from '../action.tsx'
import type { ColumnSpec } from '../columns.tsx'
import type { DetailGroup } from '../detail/detail-panel.tsx'
import type { FormFieldGroup } from '../form/form-fields.tsx'
import type { Faults } from '../form/use-form.ts'
import type { BatchAction } from '../list/batch-bar.tsx'
import type { ListProps } from '../list/list-props.ts'

/** The calls of an entity as `crud` declares them, as far as its screens use them. */
export interface ShownCrud<F extends Fields, Q, N, D> {
  readonly entity: Entity<F>
  readonly itemName: string
  readonly path: string
  readonly permissions: Readonly<Record<'view' | 'add' | 'edit' | 'del', Permission>>
  readonly list: Call<Q, Page<ValueOf<F>>>
  readonly get?: Call<{ readonly id: Id }, ValueOf<F>>
  readonly add?: Call<N, any>
  readonly edit?: Call<D, any>
  readonly save?: Call<D, any>
  readonly delete?: Call<{ readonly ids: readonly string[]; readonly reason: string }, any>
}

export interface CrudFormSpec<T, N> {
  /** Groups of the form, less what the call does not take; by default all fields of a form. */
  readonly groups?: readonly FormFieldGroup[]
  /** Where adding asks something else. */
  readonly addGroups?: readonly FormFieldGroup[]
  /** What a new one begins with; a hook, so that it may read the address. `null` while that is not known. */
  readonly useInitial?: () => Partial<N> | null
  readonly rules?: (values: any) => Faults | undefined
  readonly below?: (values: any) => ReactNode
  /** The message once it is saved; by default the record's name. */
  readonly savedText?: (row: T, isNew: boolean) => string
  /** Whether a new record's own page is opened once it is saved; by default yes. */
  readonly opensNew?: boolean
  /** For forms over the list; by the number of fields otherwise. */
  readonly presentation?: 'dialog' | 'drawer'
  readonly editDisabledReason?: (row: T) => string | undefined
}

/** What can be done with a record in any case. */
export interface StandardActions {
  readonly edit: Action | false
  readonly see: Action | false
  readonly remove: Action | false
}

/** Where a record shows its actions. */
export type RecordPlace = 'list' | 'drawer' | 'detail'

interface OfferedAction<T> {
  readonly label: string
  /** By default the permission of the call. */
  readonly needs?: Needs
  readonly isOffered?: (row: T) => boolean
  /** Why not now, where it is offered. */
  readonly disabledReason?: (row: T) => string | undefined
  readonly danger?: boolean
  /** Where it is shown; by default everywhere. */
  readonly places?: readonly RecordPlace[]
  /** Offered for selected records too; a function says why not now. */
  readonly batch?: true | ((rows: readonly T[]) => string | undefined)
}

/** A short form over a call that takes records by `ids`, or one by `id`. */
export interface RecordForm<T> extends OfferedAction<T> {
  readonly call: Call<any, any>
  readonly keys: FormFieldGroup['keys']
  readonly submitLabel?: string
  /** `已办理离职`, before what it was done to; by default `已` and the label. */
  readonly doneText?: string
  /** What the form begins with; gets the record where it is about one alone. */
  readonly initial?: (one: T | undefined) => object
  readonly below?: (rows: readonly T[]) => ReactNode
}

/** What is done in a dialog that the module draws. */
interface RecordDialog<T> extends OfferedAction<T> {
  readonly dialog: ComponentType<{ readonly of: readonly T[]; readonly onClose: () => void }>
}

/** What is done at once: another screen opens, or a question is asked. */
interface RecordCommand<T> extends Omit<OfferedAction<T>, 'batch'> {
  readonly run: (row: T) => unknown
}

/** A command for several records at once, with one question for all of them. */
interface RecordsCommand<T> extends OfferedAction<T> {
  readonly runAll: (rows: readonly T[]) => unknown
}

export type RecordAction<T> = RecordForm<T> | RecordDialog<T> | RecordCommand<T> | RecordsCommand<T>

/** What is above the list and is about no record: done at once, or in a dialog that the module draws. */
export type ListAction = Pick<Action, 'label' | 'needs'> &
  ({ readonly run: () => unknown } | { readonly dialog: ComponentType<{ readonly onClose: () => void }> })

export interface RecordTab<T> {
  readonly key: string
  readonly label: string
  readonly needs?: Permission
  readonly inDrawer?: boolean
  readonly body: (row: T) => ReactNode
}

/** What a module adds to list and detail with state of its own: dialogs, and what opens them. */
export interface CrudExtras<T, Q> {
  /** Between the first actions of a record and its deletion. */
  readonly actions?: (row: T, place: RecordPlace) => Actions
  readonly toolbar?: Actions
  readonly batch?: readonly (BatchAction<T, Q> | false | undefined)[]
  readonly dialogs?: ReactNode
  /** After the tabs of the screen: what other modules add to it. */
  readonly tabs?: readonly RecordTab<T>[]
  /** What replaces other parts of the list: a panel at its side, a fixed filter. */
  readonly list?: Partial<ListProps<Q, T>>
}

/** How the form's page gets its record, where no `get` by id returns it. */
export interface RecordLoader<T> {
  /** In the address, and of a row; by default `id`. */
  readonly param?: string
  readonly paramOf?: (row: T) => string
  readonly call: Call<any, any>
  readonly input: (value: string) => object
  readonly pick?: (answer: any) => T | undefined
}

export interface CrudWebOptions<T, Q, N> {
  readonly paths?: SomePaths
  /** Measure word and noun for deletions: `家商户`. */
  readonly unit: string
  /** Called so where the server calls it otherwise. */
  readonly itemName?: string
  readonly loadBy?: RecordLoader<T>
  /** Names a record; by default its title field. */
  readonly nameOf?: (row: T) => string
  /** Columns of the list; by default those that belong in a table. */
  readonly columns?: readonly ColumnSpec<T>[]
  readonly detail?: readonly DetailGroup<T>[]
  readonly form?: CrudFormSpec<T, N>
  readonly deletion?: {
    /** Where deleting is called otherwise: `离职`. */
    readonly label?: string
    readonly consequences?: readonly string[]
    readonly reasons?: readonly string[]
    readonly disabledReason?: (row: T) => string | undefined
  }
  readonly import?: CrudImport
  readonly export?: CrudExport<Q>
  /** What is done with records; before those of `useExtras`. */
  readonly actions?: readonly RecordAction<T>[]
  /** Beside the list's own buttons; before those of `useExtras`. */
  readonly toolbar?: readonly ListAction[]
  readonly useExtras?: () => CrudExtras<T, Q>
  /** Another order of actions than edit, see, the extras, remove; in the list, its drawer, or the detail. */
  readonly arrange?: (standard: StandardActions, extra: Actions, row: T, place: RecordPlace) => Actions
  /** Tabs of the detail page, and of the drawer where it says so. */
  readonly tabs?: readonly RecordTab<T>[]
  /** Whatever else a list page takes. */
  readonly list?: Partial<ListProps<Q, T>>
  /** The state shown in the head; the field `state` where it is a choice. */
  readonly status?: ((row: T) => ReactNode) | false
  readonly drawer?: false | Partial<NonNullable<ListProps<Q, T>['drawer']>>
}

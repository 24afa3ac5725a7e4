import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { ComponentType, ReactNode } from 'react'
import { recordPath } from '#kit/contract/crud-screens.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { Actions } from '../action.tsx'
import { buildColumns, type Column } from '../columns.tsx'
import type { FormFieldGroup } from '../form/form-fields.tsx'
import { navigateTo } from '../navigation.ts'
import { createReasonAction } from '../record-actions.ts'
import { ChoiceStatus } from '../status.tsx'
import type { CrudExtras, CrudWebOptions, RecordPlace, ShownCrud, StandardActions } from './crud-spec.ts'
import { useRecordActions } from './use-record-actions.tsx'

export type Row = Readonly<Record<string, unknown>> & { readonly id: Id }

type LoadCall = Call<{ readonly id: Id }, Row>

/** An entity's screens with their defaults filled in; inside the kit rows are plain values by key. */
export interface CrudModel {
  readonly crud: Omit<ShownCrud<any, any, any, any>, 'get'> & { readonly get?: LoadCall }
  readonly options: CrudWebOptions<any, any, any>
  readonly itemName: string
  readonly columns: readonly Column<any>[]
  readonly nameOf: (row: any) => string
  readonly status: ((row: any) => ReactNode) | undefined
  readonly removal: ReturnType<typeof createReasonAction<Row>> | undefined
  readonly ModuleState: ComponentType<{ readonly children: (state: ModuleState) => ReactNode }>
  readonly actionsOf: (standard: StandardActions, extra: Actions, row: Row, place: RecordPlace) => Actions
}

/** A state with a tone is shown in the head of a record. */
function statusOf(fields: Fields): ((row: Row) => ReactNode) | undefined {
  const f: Field | undefined = fields.state
  return f?.kind === 'choice'
    ? row => <ChoiceStatus choices={defined(f.choices)} value={row.state as string | undefined} />
    : undefined
}

interface ModuleState {
  readonly extras: CrudExtras<any, any>
  /** What a new record begins with; `null` while that is not known. */
  readonly initial: object | null | undefined
}

const noExtras = (): CrudExtras<any, any> => ({})
const noInitial = (): object | undefined => undefined

type Extras = CrudExtras<any, any>

/** What is added twice, one after the other: no addition takes the place of another. */
export const joinExtras = (first: Extras, second: Extras): Extras => ({
  actions: (row, place) => [...(first.actions?.(row, place) ?? []), ...(second.actions?.(row, place) ?? [])],
  toolbar: [...(first.toolbar ?? []), ...(second.toolbar ?? [])],
  batch: [...(first.batch ?? []), ...(second.batch ?? [])],
  tabs: [...(first.tabs ?? []), ...(second.tabs ?? [])],
  dialogs: (
    <>
      {first.dialogs}
      {second.dialogs}
    </>
  ),
  list: { ...first.list, ...second.list },
})

/** The hooks of a module as a component: which hooks run is settled when the screens are declared. */
function stateProvider(
  options: CrudWebOptions<any, any, any>,
  nameOf: (row: Row) => string,
): CrudModel['ModuleState'] {
  const { useExtras = noExtras } = options
  const useInitial: () => object | null | undefined = options.form?.useInitial ?? noInitial
  return function ProvideState({ children }) {
    const declared = useRecordActions(options, nameOf)
    const own = useExtras()
    const initial = useInitial()
    return children({ extras: joinExtras(declared, own), initial })
  }
}

export function buildCrudModel(
  crud: ShownCrud<any, any, any, any>,
  options: CrudWebOptions<any, any, any>,
): CrudModel {
  const { entity } = crud
  const { reasons = ['录入有误', '重复录入'], ...deletion } = options.deletion ?? {}
  const nameOf = options.nameOf ?? ((row: Row): string => String(row[entity.title] ?? ''))
  return {
    crud: crud as CrudModel['crud'],
    options,
    itemName: options.itemName ?? crud.itemName,
    columns: buildColumns<any>(
      crud.list.output,
      options.columns ?? [
        ...new Set([
          entity.title,
          ...Object.keys(entity.fields).filter(
            k =>
              !defined(entity.fields[k]).hiddenIn?.includes('table') && !isNamedElsewhere(entity.fields, k),
          ),
        ]),
      ],
    ),
    nameOf,
    status: options.status === false ? undefined : (options.status ?? statusOf(entity.fields)),
    removal:
      crud.delete &&
      createReasonAction<Row>(crud.delete, {
        unit: options.unit,
        nameOf,
        ...deletion,
        reasonPresets: reasons,
      }),
    ModuleState: stateProvider(options, nameOf),
    actionsOf: options.arrange ?? (({ edit, see, remove }, extra) => [edit, see, ...extra, remove]),
  }
}

/** A reference whose name is a column already (`buildCode` beside `buildName`). */
const isNamedElsewhere = (fields: Fields, key: string): boolean =>
  Object.values(fields).some((f: Field) => f.lookup?.[0] === key && !f.hiddenIn?.includes('table'))

/** What a form sends; `save` adds and edits where an entity has one call for both (G-2). */
export const formCallsOf = ({ add, edit, save }: Pick<CrudModel['crud'], 'add' | 'edit' | 'save'>) => ({
  add: add ?? save,
  edit: edit ?? save,
})

/** The groups of a form that saves by this call: adding may ask what editing does not. */
export const groupsOf = (
  call: Call<any, any> | undefined,
  groups: readonly FormFieldGroup[] | undefined,
): readonly FormFieldGroup[] | undefined =>
  groups?.flatMap(group => {
    const keys = group.keys.filter(k => call?.input.fields[typeof k === 'string' ? k : k.key] !== undefined)
    return keys.length ? [{ ...group, keys }] : []
  })

const openEdit = (path: string, { loadBy }: CrudModel['options'], row: Row): void =>
  navigateTo(`${path}?${loadBy?.param ?? 'id'}=${loadBy?.paramOf?.(row) ?? row.id}`)

/** Edit, see and remove, as far as the entity has the screens and calls for them. */
export function standardActions(
  model: CrudModel,
  row: Row,
  editForm?: (row: Row) => StandardActions['edit'],
): StandardActions {
  const { crud, options } = model
  const { edit, detail } = options.paths ?? {}
  return {
    edit:
      editForm?.(row) ??
      (edit
        ? {
            label: '编辑',
            needs: crud.permissions.edit,
            disabledReason: options.form?.editDisabledReason?.(row),
            run: () => openEdit(edit, options, row),
          }
        : false),
    see: detail
      ? { label: '查看详情', needs: crud.permissions.view, run: () => navigateTo(recordPath(detail, row.id)) }
      : false,
    remove: model.removal?.row(row) ?? false,
  }
}

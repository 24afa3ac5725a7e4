import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import type { Field } from '#kit/contract/field.ts'
import type { Action } from '../action.tsx'
import type { FormFieldGroup } from '../form/form-fields.tsx'
import { useEdit } from '../form/use-edit.tsx'
import { ListPage } from '../list/list-page.tsx'
import type { ListProps } from '../list/list-props.ts'
import { navigateTo } from '../navigation.ts'
import { useChosenProject } from '../chosen-project.ts'
import type { CrudExtras, RecordPlace } from './crud-spec.ts'
import {
  formCallsOf,
  groupsOf,
  joinExtras,
  standardActions,
  type CrudModel,
  type Row,
} from './crud-model.tsx'

/** The form over the list, where the entity has no pages for it. */
function useListForm(model: CrudModel, initialValues: object | undefined, groups: CrudListProps['groups']) {
  const { crud, options } = model
  const { form = {}, paths } = options
  const calls = formCallsOf(crud)
  const add = paths?.add ? undefined : calls.add
  const edit = paths?.edit ? undefined : calls.edit
  const opened = useEdit<any, any, Row>({
    itemName: model.itemName,
    ...(add ? { add } : {}),
    ...(edit ? { edit } : {}),
    nameOf: model.nameOf,
    groups: groupsOf(edit ?? add, groups ?? form.groups),
    ...(form.rules ? { rules: form.rules } : {}),
    ...(form.below ? { below: form.below } : {}),
    savedText: form.savedText,
    initial: initialValues ?? {},
    ...(crud.get ? { load: crud.get } : { isRowComplete: true }),
    ...(form.presentation ? { presentation: form.presentation } : {}),
    ...(form.editDisabledReason ? { editDisabledReason: form.editDisabledReason } : {}),
  })
  return { opened, add, edit }
}

/** The import goes into the chosen project: without one it is not offered. */
function useImport(model: CrudModel): Pick<ListProps<any, any>, 'import' | 'importInput'> {
  const project = useChosenProject()
  const spec = model.options.import
  if (!spec) return {}
  const asksProject = spec.template.input.fields.projectCode !== undefined
  if (!asksProject) return { import: spec }
  return project ? { import: spec, importInput: { projectCode: project } } : {}
}

interface CrudListProps {
  readonly model: CrudModel
  /** What a new record begins with: that it belongs to the record around the list. */
  readonly initial?: object
  readonly canAdd?: boolean
  /** Groups of the form where the record around the list fills in some of its fields. */
  readonly groups?: readonly FormFieldGroup[] | undefined
  readonly extras?: CrudExtras<any, any>
  /** Replaces what the entity's list says: `embedded`, `fixedFilter`. */
  readonly list?: Partial<ListProps<any, any>>
}

/** The list of an entity: what is not given comes from the entity and its calls. */
export function CrudList({ extras, initial, ...props }: CrudListProps) {
  const { ModuleState } = props.model
  return (
    <ModuleState>
      {own => (
        <ListBody
          {...props}
          extras={joinExtras(own.extras, extras ?? {})}
          initial={{ ...own.initial, ...initial }}
        />
      )}
    </ModuleState>
  )
}

function ListBody({ model, initial, canAdd = true, groups, extras = {}, list }: CrudListProps) {
  const { crud, options, removal } = model
  const { opened, add, edit } = useListForm(model, initial, groups)
  const own = { ...options.list, ...extras.list, ...list }
  const fixedFilter = useMemo(() => own.fixedFilter, [JSON.stringify(own.fixedFilter)])
  const sheets = useImport(model)
  const paths = options.paths ?? {}
  const editForm = edit && opened.editAction
  const rowActions = (row: Row, place: RecordPlace) =>
    model.actionsOf(standardActions(model, row, editForm), extras.actions?.(row, place) ?? [], row, place)
  const state: Field | undefined = crud.entity.fields.state
  const tabs = useMemo(
    () =>
      [...(options.tabs ?? []), ...(extras.tabs ?? [])]
        .filter(t => t.inDrawer)
        .map(t => ({ key: t.key, label: () => t.label, body: t.body })),
    [options.tabs, extras.tabs],
  )
  const drawer: NonNullable<ListProps<any, any>['drawer']> = {
    title: model.nameOf,
    historyEntity: crud.entity.name,
    actions: row => rowActions(row, 'drawer'),
    ...(model.status ? { status: model.status } : {}),
    ...(crud.get ? { loadCall: crud.get } : {}),
    ...(options.detail ? { groups: options.detail } : {}),
    ...(tabs.length ? { tabs } : {}),
    ...(paths.detail ? { openAsPage: row => navigateTo(`${paths.detail}?id=${row.id}`) } : {}),
    ...options.drawer,
  }
  return (
    <>
      <ListPage<any, any>
        list={crud.list}
        itemName={model.itemName}
        columns={model.columns}
        {...sheets}
        export={options.export}
        primaryAction={canAdd && (add ? opened.addAction : addOnPage(model))}
        rowActions={row => rowActions(row, 'list')}
        batchActions={[...(extras.batch ?? []), removal?.batch]}
        {...(state?.kind === 'choice' ? { isDimmed: row => isOff(state, row) } : {})}
        {...(options.drawer === false ? {} : { drawer })}
        {...(extras.toolbar?.length ? { toolbarActions: extras.toolbar } : {})}
        {...own}
        {...(fixedFilter ? { fixedFilter } : {})}
      />
      {opened.dialog}
      {extras.dialogs}
    </>
  )
}

const addOnPage = ({ crud, options, itemName }: CrudModel): Action | undefined => {
  const path = options.paths?.add
  return path
    ? { label: `新增${itemName}`, needs: crud.permissions.add, run: () => navigateTo(path) }
    : undefined
}

/** A record whose state is over is shown dimmed. */
const isOff = (state: Field, row: Row): boolean =>
  defined(state.choices).rows[String(row.state)]?.[2] === 'off'

import { defined } from '#kit/domain/defined.ts'
import { DetailPage } from '../detail/detail-page.tsx'
import { useEdit } from '../form/use-edit.tsx'
import { usePermission } from '../session.ts'
import type { CrudExtras } from './crud-spec.ts'
import { formCallsOf, groupsOf, standardActions, type CrudModel, type Row } from './crud-model.tsx'

/** One record as a page of its own. */
export const CrudDetail = ({ model }: { readonly model: CrudModel }) => (
  <model.ModuleState>{({ extras }) => <DetailBody model={model} extras={extras} />}</model.ModuleState>
)

interface DetailBodyProps {
  readonly model: CrudModel
  readonly extras: CrudExtras<any, any>
}

function DetailBody({ model, extras }: DetailBodyProps) {
  const { crud, options } = model
  const form = options.form ?? {}
  const allowed = usePermission()
  const edit = options.paths?.edit ? undefined : formCallsOf(crud).edit
  const opened = useEdit<any, any, Row>({
    itemName: model.itemName,
    edit,
    nameOf: model.nameOf,
    groups: groupsOf(edit, form.groups),
    load: defined(crud.get),
    ...(form.presentation ? { presentation: form.presentation } : {}),
    ...(form.editDisabledReason ? { editDisabledReason: form.editDisabledReason } : {}),
  })
  return (
    <DetailPage<Row>
      loadCall={defined(crud.get)}
      title={model.nameOf}
      {...(model.status ? { status: model.status } : {})}
      {...(options.detail ? { groups: options.detail } : {})}
      historyEntity={crud.entity.name}
      tabs={[...(options.tabs ?? []), ...(extras.tabs ?? [])].filter(t => allowed(t.needs))}
      actions={row => {
        const { see: _see, ...standard } = standardActions(model, row, edit && opened.editAction)
        return model.actionsOf(
          { ...standard, see: false },
          extras.actions?.(row, 'detail') ?? [],
          row,
          'detail',
        )
      }}
      footer={
        <>
          {opened.dialog}
          {extras.dialogs}
        </>
      }
    />
  )
}

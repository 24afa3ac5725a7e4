import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { InvalidAddress, RecordFailure } from '../record-failure.tsx'
import { FormPage } from '../form/form-page.tsx'
import { RowSkeleton } from '../list/list-feedback.tsx'
import { navigateTo } from '../navigation.ts'
import { useCall, useSend } from '../query.ts'
import { send } from '../send.ts'
import { useTab, useTabTitle } from '../tab.ts'
import { toast } from '../toast.ts'
import { formCallsOf, groupsOf, type CrudModel, type Row } from './crud-model.tsx'

const savedText = (m: CrudModel, row: Row, isNew: boolean): string =>
  m.options.form?.savedText?.(row, isNew) ?? `已${isNew ? '新增' : '保存'}${m.itemName}「${m.nameOf(row)}」`

/** Adds a record on a page of its own, then opens it. */
export const AddPage = ({ model }: { readonly model: CrudModel }) => (
  <model.ModuleState>
    {({ initial }) =>
      initial === null ? <RowSkeleton rows={6} /> : <AddForm model={model} initialValues={initial} />
    }
  </model.ModuleState>
)

interface AddFormProps {
  readonly model: CrudModel
  readonly initialValues: object | undefined
}

function AddForm({ model, initialValues }: AddFormProps) {
  const { crud, options, itemName } = model
  const form = options.form ?? {}
  const call = defined(formCallsOf(crud).add)
  const add = useSend(call, { quiet: true })
  const tab = useTab()
  const initial = useMemo(() => initialValues, [JSON.stringify(initialValues)])
  const detail = options.paths?.detail
  return (
    <FormPage<any>
      shape={call.input}
      title={`新增${itemName}`}
      groups={groupsOf(call, form.addGroups ?? form.groups)}
      {...(initial ? { initial } : {})}
      {...(form.rules ? { rules: form.rules } : {})}
      {...(form.below ? { below: form.below } : {})}
      draftKey={`${crud.entity.name}/new`}
      submitLabel={`新增${itemName}`}
      save={v => add.mutateAsync(v)}
      onDone={result => {
        const row = result as Row
        toast.success(savedText(model, row, true))
        tab.close()
        if (detail && form.opensNew !== false) {
          navigateTo(`${detail}?id=${row.id}`)
        }
      }}
    />
  )
}

/** How the record of the address is asked: by its id, or as the module says. */
function recordQuery({ crud, options }: CrudModel, at: URLSearchParams) {
  const { param = 'id', call, input, pick } = options.loadBy ?? {}
  const value = at.get(param) ?? ''
  const byId = { id: parseId(value) }
  const found = (answer: unknown): Row | undefined => (pick ? pick(answer) : (answer as Row | undefined))
  return {
    isNamed: options.loadBy ? value !== '' : byId.id > 0,
    call: call ?? defined(crud.get),
    input: input ? input(value) : byId,
    found,
    // A record of its own project, whichever is chosen above.
    how: options.loadBy ? { project: 0 as const } : {},
  }
}

/** Edits the record of the address on a page of its own. */
export function EditPage({ model }: { readonly model: CrudModel }) {
  const { crud, options, itemName } = model
  const form = options.form ?? {}
  const [at] = useSearchParams()
  const record = recordQuery(model, at)
  const one = useCall(record.call, record.input, { quiet: true, enabled: record.isNamed, ...record.how })
  const call = defined(formCallsOf(crud).edit)
  const edit = useSend(call, { quiet: true })
  const tab = useTab()
  const row = one.data === undefined ? undefined : record.found(one.data)
  useTabTitle(row && `编辑 ${model.nameOf(row)}`)
  const reload = (): void => void one.refetch()
  if (!record.isNamed) return <InvalidAddress />
  if (one.isError) return <RecordFailure error={one.error} onRetry={reload} />
  if (one.data && !row) return <RecordFailure error={new Error('数据不存在或已被删除')} onRetry={reload} />
  if (!row) return <RowSkeleton rows={8} />
  const fault = form.editDisabledReason?.(row)
  if (fault !== undefined) return <RecordFailure error={new Error(fault)} onRetry={reload} />
  return (
    <FormPage<any>
      key={row.id}
      shape={call.input}
      title={`编辑${itemName}「${model.nameOf(row)}」`}
      groups={groupsOf(call, form.groups)}
      initial={row}
      {...(form.rules ? { rules: form.rules } : {})}
      {...(form.below ? { below: form.below } : {})}
      draftKey={`${crud.entity.name}/${row.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...record.found(await send(record.call, record.input, record.how)) })}
      onDone={a => {
        toast.success(savedText(model, a as Row, false))
        tab.close()
      }}
    />
  )
}

import { useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addItem, editItem, oneItem, type FeeItem } from '../contract/item.ts'
import { itemAsks } from './groups.ts'

export function AddItemPage() {
  const add = useSend(addItem, { quiet: true })
  const tab = useTab()
  return (
    <FormPage
      of={addItem.input}
      title="新增收费项目"
      groups={itemAsks}
      draft="fee-item/new"
      words="新增收费项目"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增收费项目「${(a as FeeItem).name}」`)
        tab.close()
      }}
    />
  )
}

export function EditItemPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneItem, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editItem, { quiet: true })
  const tab = useTab()
  const i = one.data
  useTabName(i && `编辑 ${i.name}`)
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的收费项目编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!i) return <Skeleton rows={8} />
  return (
    <FormPage
      key={i.id}
      of={editItem.input}
      title={`编辑收费项目「${i.name}」`}
      groups={itemAsks}
      initial={i}
      draft={`fee-item/${i.id}`}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneItem, { id })) })}
      onDone={a => {
        toast.success(`已保存收费项目「${(a as FeeItem).name}」`)
        tab.close()
      }}
    />
  )
}

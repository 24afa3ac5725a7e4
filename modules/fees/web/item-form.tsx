import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { toastWithLink } from '#kit/web/toast-with-link.tsx'
import { addItem, editItem, getItem } from '../contract/item.ts'
import { itemFormGroups } from './form-groups.ts'
import { LateRateWarning } from './late-rate-warning.tsx'
import { paths } from './paths.ts'

export function AddItemPage() {
  const add = useSend(addItem, { quiet: true })
  const tab = useTab()
  return (
    <FormPage
      shape={addItem.input}
      title="新增收费项目"
      groups={itemFormGroups}
      below={v => <LateRateWarning rates={v.lateRates} />}
      draftKey="fee-item/new"
      submitLabel="新增收费项目"
      save={v => add.mutateAsync(v)}
      onDone={result => {
        toastWithLink(`已新增收费项目「${result.name}」`, {
          label: '新增收费标准',
          path: `${paths.addStandard}?item=${result.id}`,
        })
        tab.close()
      }}
    />
  )
}

export function EditItemPage() {
  const edit = useSend(editItem, { quiet: true })
  const tab = useTab()
  const { id, record, placeholder } = useAddressedRecord(getItem, { tabTitle: item => `编辑 ${item.name}` })
  if (!record) return placeholder
  return (
    <FormPage
      key={record.id}
      shape={editItem.input}
      title={`编辑收费项目「${record.name}」`}
      groups={itemFormGroups}
      below={v => <LateRateWarning rates={v.lateRates} />}
      initial={record}
      draftKey={`fee-item/${record.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getItem, { id })) })}
      onDone={a => {
        toast.success(`已保存收费项目「${a.name}」`)
        tab.close()
      }}
    />
  )
}

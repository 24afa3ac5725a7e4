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
      onDone={a => {
        toastWithLink(`已新增收费项目「${a.name}」`, {
          label: '新增收费标准',
          path: `${paths.addStandard}?item=${a.id}`,
        })
        tab.close()
      }}
    />
  )
}

export function EditItemPage() {
  const edit = useSend(editItem, { quiet: true })
  const tab = useTab()
  const {
    id,
    record: i,
    placeholder,
  } = useAddressedRecord(getItem, { tabTitle: item => `编辑 ${item.name}` })
  if (!i) return placeholder
  return (
    <FormPage
      key={i.id}
      shape={editItem.input}
      title={`编辑收费项目「${i.name}」`}
      groups={itemFormGroups}
      below={v => <LateRateWarning rates={v.lateRates} />}
      initial={i}
      draftKey={`fee-item/${i.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getItem, { id })) })}
      onDone={a => {
        toast.success(`已保存收费项目「${a.name}」`)
        tab.close()
      }}
    />
  )
}

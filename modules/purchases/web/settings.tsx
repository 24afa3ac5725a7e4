import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { invalidateCalls, useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { getPurchaseSetting, savePurchaseSetting, type PurchaseSetting } from '../contract/setting.ts'

const groups = defineFormGroups([
  { title: '审批', keys: ['exemptAmount', 'allowsAhead'] },
  {
    title: '下单与收货',
    keys: ['orderTolerance', 'tolerance', 'separatesReceiver', 'buyerIds', 'receiverIds'],
  },
  { title: '项目限额', keys: [{ key: 'limits', wide: true }] },
  { title: '编号', keys: ['numberPrefix'] },
])

function SettingForm({ setting }: { readonly setting: PurchaseSetting }) {
  const saving = useSend(savePurchaseSetting, { quiet: true })
  return (
    <FormPage
      shape={savePurchaseSetting.input}
      title="采购设置"
      groups={groups}
      initial={setting}
      draftKey={undefined}
      submitLabel="保存设置"
      save={values => saving.mutateAsync(values)}
      onDone={() => {
        toast.success('已保存采购设置')
        void invalidateCalls(getPurchaseSetting)
      }}
    />
  )
}

/** 采购设置: who may, up to how much, and what needs no approval. */
export default function SettingsPage() {
  const setting = useCall(getPurchaseSetting, undefined, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={setting} height={480} rows={8}>
      {loaded => <SettingForm key={loaded.version} setting={loaded} />}
    </Loaded>
  )
}

import { useState } from 'react'
import { ref, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { useFirstValue } from '#kit/web/use-first-value.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getPrestoreSetting, savePrestoreSetting } from '../contract/setting.ts'

const itemField = ref('收费项目', 'feeItem') as Field

const ItemsControl: Control = props => (
  <RefSelect
    multiple
    field={itemField}
    id={props.id}
    value={props.value}
    onChange={v => props.onChange(Array.isArray(v) ? v.map(String) : undefined)}
    onBlur={props.onBlur}
    formValues={props.formValues}
    disabled={props.disabled}
    status={props.invalid ? 'error' : undefined}
    describedBy={props.describedBy}
  />
)

const groups = [
  {
    title: '自动冲抵',
    keys: [
      { key: 'autoDeduct', wide: true },
      { key: 'itemIds', control: ItemsControl },
      'onlyDue',
      'deductLate',
      { key: 'wholeBillOnly', help: '关闭时余额先抵一部分' },
      { key: 'giftFirst', help: '关闭时先用本金' },
    ],
  },
  { title: '赠送', keys: ['giftDays'] },
  {
    title: '低余额提醒',
    keys: [
      {
        key: 'warnBalance',
        help: '不填为不提醒；账户自己的设置优先。余额低于该值时每日提醒预存管理人员，充足后停止',
      },
      'warnResident',
      'warnCompany',
    ],
  },
]

interface SettingFormProps {
  readonly project: string
  readonly onSaved: () => void
}

function SettingForm({ project, onSaved }: SettingFormProps) {
  const query = useCall(getPrestoreSetting, { projectCode: project }, { quiet: true, staleMs: 0 })
  const save = useSend(savePrestoreSetting, { quiet: true })
  // What is typed stays while the setting is read again.
  const setting = useFirstValue(query.isFetching ? undefined : query.data)
  if (!setting && query.isError)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!setting) return <RowSkeleton rows={8} />
  const {
    version,
    autoDeduct,
    itemIds,
    onlyDue,
    deductLate,
    wholeBillOnly,
    giftFirst,
    giftDays,
    warnBalance,
    warnResident,
    warnCompany,
  } = setting
  return (
    <FormPage
      shape={savePrestoreSetting.input}
      title="预存设置"
      groups={groups}
      initial={{
        projectCode: project,
        version,
        autoDeduct,
        itemIds,
        onlyDue,
        deductLate,
        wholeBillOnly,
        giftFirst,
        giftDays,
        warnBalance,
        warnResident,
        warnCompany,
      }}
      draftKey={`prestore/setting/${project}`}
      save={v => save.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getPrestoreSetting, { projectCode: project })) })}
      onDone={() => {
        toast.success('预存设置已保存')
        onSaved()
      }}
    />
  )
}

/** 预存设置 (ACC-5): how a project deducts automatically. */
export default function SettingPage() {
  const project = useProject()
  // A saved setting has a new version: the form starts over with it.
  const [saveCount, setSaveCount] = useState(0)
  return project ? (
    <SettingForm
      key={`${project}/${saveCount}`}
      project={project}
      onSaved={() => setSaveCount(count => count + 1)}
    />
  ) : (
    <p className="prestore-band">预存按项目设置，请先在左上角选择一个项目</p>
  )
}

import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { processes, type Process } from '../contract/process.ts'
import { EmptyPolicyControl } from './empty-policy-control.tsx'
import { FormFieldsControl } from './form-fields-control.tsx'
import { NodesControl } from './nodes-control.tsx'
import { TryPanel } from './try-panel.tsx'

const isGeneral = ({ bizType }: { readonly bizType?: string }): boolean => bizType === 'general'

const groups = defineFormGroups([
  {
    keys: [
      'processName',
      { key: 'bizType', disabledReason: (v: { id?: number }) => (v.id ? '业务不能更改' : undefined) },
      { key: 'emptyPolicy', wide: false, control: EmptyPolicyControl, help: '涉及资金的业务不能自动通过' },
      'timeoutHours',
      'copyTo',
      'state',
      { key: 'skipsRepeated', help: '审批人在上一节点已同意的，本节点自动通过' },
    ],
  },
  {
    title: '节点与表单',
    keys: [
      { key: 'formFields', wide: true, control: FormFieldsControl, isHidden: v => !isGeneral(v) },
      { key: 'nodes', wide: true, control: NodesControl },
    ],
  },
])

function ProcessForm({ process }: { readonly process?: Process }) {
  const saving = useSend(processes.save, { quiet: true })
  return (
    <FormPage
      shape={processes.save.input}
      title={process ? `编辑「${process.processName}」` : '新增审批流程'}
      groups={groups}
      initial={process}
      draftKey={draftKeyOf(processes.save, process?.id ?? 'new')}
      save={values => saving.mutateAsync(values)}
      aside={values => <TryPanel values={values} />}
      columns={2}
    />
  )
}

function EditedProcess() {
  const { record, placeholder } = useAddressedRecord(processes.get, {
    tabTitle: process => `编辑「${process.processName}」`,
    staleMs: 0,
  })
  return record ? <ProcessForm key={record.version} process={record} /> : placeholder
}

/** 审批流程: drawn node by node, and tried with a sample form before it is saved. */
export default function ProcessDesignPage() {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedProcess /> : <ProcessForm />
}

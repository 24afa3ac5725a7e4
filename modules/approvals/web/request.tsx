import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { useFirstValue } from '#kit/web/use-first-value.ts'
import type { AmendField } from '../contract/form-field.ts'
import { listGeneralProcesses, resubmitRequest, sendGeneralRequest } from '../contract/instance-actions.ts'
import { getInstance, type InstanceDetail } from '../contract/instance.ts'
import { decodeForm, encodeForm, fieldsOfForm, filesOfForm } from '../domain/form.ts'
import { paths } from '../module.ts'
import { ApproverPreview, type ChosenApprovers } from './approver-preview.tsx'
import { FormLines } from './instance-content.tsx'

type Values = Readonly<Record<string, unknown>>

interface RequestFormProps {
  readonly name: string
  readonly processId: Id
  readonly formFields: readonly AmendField[]
  /** The request that is sent in again. */
  readonly again?: InstanceDetail
}

/** A field that does not count with what was chosen in another. */
const isLeftOut = ({ onlyWithField, onlyWithOption }: AmendField, values: Values): boolean =>
  onlyWithField !== undefined && values[onlyWithField] !== onlyWithOption

/** What a form is kept as: the fields that were filled in and count, without the title. */
function formOf({ $title: _, ...values }: Values, formFields: readonly AmendField[]): Values {
  const leftOut = new Set(formFields.filter(field => isLeftOut(field, values)).map(({ key }) => key))
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== undefined && value !== '' && !leftOut.has(key)),
  )
}

const titleOf = ({ $title }: Values): { title?: string } =>
  typeof $title === 'string' && $title.trim() ? { title: $title } : {}

function useSendRequest({ processId, formFields, again }: RequestFormProps, chosen: ChosenApprovers) {
  const sending = useSend(sendGeneralRequest, { quiet: true })
  const resending = useSend(resubmitRequest, { quiet: true })
  return (values: Values) => {
    const form = formOf(values, formFields)
    const fields = fieldsOfForm(formFields)
    const shared = {
      form: encodeForm(fields, form),
      attachments: filesOfForm(fields, form),
      chosen,
    }
    return again
      ? resending.mutateAsync({ id: again.id, ...shared })
      : sending.mutateAsync({ processId, ...titleOf(values), ...shared })
  }
}

function RequestForm(props: RequestFormProps) {
  const { name, processId, formFields, again } = props
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ChosenApprovers>(again?.chosen ?? [])
  const save = useSendRequest(props, chosen)
  const title = text('标题', { max: 100, help: `不填为「我的姓名 ${name}」` })
  const formShape = fieldsOfForm(formFields)
  const fields = { ...(again ? {} : { $title: title }), ...formShape }
  const conditional = new Map(formFields.map(field => [field.key, field]))
  const keys = Object.entries(fields).map(([key, field]) => {
    const drawn = conditional.get(key)
    if (drawn?.onlyWithField !== undefined)
      return { key, isRequired: true, isHidden: (values: Values) => isLeftOut(drawn, values) }
    return field.holdsFiles ? { key, wide: true, control: imagesControl } : key
  })
  const initial: Values = again ? decodeForm(formShape, JSON.parse(again.amendForm ?? '{}')).values : {}
  const preview = (values: Values) => (
    <ApproverPreview
      bizType="general"
      processId={processId}
      instanceId={again?.id}
      form={formOf(values, formFields)}
      fields={formShape}
      chosen={chosen}
      onChoose={setChosen}
    />
  )
  // Who is asked for a record of a module depends on more than what is changed of it here.
  const isGeneral = again === undefined || again.bizType === 'general'
  return (
    <FormPage<Values, { readonly id: Id }>
      shape={shape(fields)}
      title={again ? `修改「${again.title}」` : name}
      groups={[{ keys }]}
      initial={initial}
      draftKey={draftKeyOf(sendGeneralRequest, again ? `again-${again.id}` : processId)}
      submitLabel={again ? '重新提交' : '提交申请'}
      save={save}
      onDone={({ id }) => void navigate(`${paths.detail}?id=${id}`, { replace: true })}
      aside={isGeneral ? preview : () => <SentBefore instance={again} />}
    />
  )
}

/** What the request is about: the fields that are amended say it in part. */
const SentBefore = ({ instance }: { readonly instance: InstanceDetail }) => (
  <section aria-label="原申请">
    <h3>原申请</h3>
    <FormLines lines={instance.formLines} />
  </section>
)

function AgainForm({ id }: { readonly id: Id }) {
  const { record, placeholder } = useAddressedRecord(getInstance, { id, tabTitle: i => `修改「${i.title}」` })
  // It is sent in and then no longer to be amended, while the form is still open.
  const again = useFirstValue(record)
  if (!again) return placeholder
  const { processName = again.title, processId, amendFields } = again
  if (!amendFields) return <Empty text="该审批不在退回修改中，请在审批详情查看进展" />
  return <RequestForm name={processName} processId={processId} formFields={amendFields} again={again} />
}

function ChooseProcess() {
  const [address, setAddress] = useSearchParams()
  const chosenId = parseId(address.get('process'))
  const found = useCall(listGeneralProcesses, {}, { quiet: true })
  return (
    <Loaded query={found} height={320} rows={6}>
      {processes => {
        const chosen = processes.find(process => process.id === chosenId)
        if (chosen)
          return (
            <RequestForm
              key={chosen.id}
              name={chosen.processName}
              processId={chosen.id}
              formFields={chosen.formFields}
            />
          )
        if (!processes.length) return <Empty text="暂无可发起的通用审批；请假、采购等在各自的页面申请" />
        return (
          <section className="approval-choices" aria-label="选择流程">
            <h2>选择流程</h2>
            <p>请假、采购、退款等在各自的页面申请。</p>
            {processes.map(process => (
              <Button key={process.id} onClick={() => setAddress({ process: String(process.id) })}>
                {process.processName}
              </Button>
            ))}
          </section>
        )
      }}
    </Loaded>
  )
}

/** 发起审批: a general request by one of the company's own forms, or one that came back. */
export default function RequestPage() {
  const [address] = useSearchParams()
  const again = parseId(address.get('again'))
  return again ? <AgainForm key={again} id={again} /> : <ChooseProcess />
}

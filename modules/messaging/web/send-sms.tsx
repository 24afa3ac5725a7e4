import { useChosenProject } from '#kit/web/chosen-project.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { audienceFaults } from '../contract/audience.ts'
import { sendPropertySms } from '../contract/task.ts'
import { smsTemplates } from '../contract/template.ts'
import { audienceVariables, variableFault } from '../domain/template.ts'
import { audienceFormFields } from './audience-control.tsx'
import { AudiencePreview } from './audience-preview.tsx'
import { paths } from './paths.ts'
import { confirmSending } from './send-confirmation.tsx'
import { Usable } from './usable.tsx'
import { VariablesHelp } from './variables-help.tsx'

type Draft = NonNullable<typeof sendPropertySms.input.T>

const groups = [
  {
    title: '任务',
    keys: [
      'taskName',
      'channel',
      { key: 'purpose', isHidden: ({ templateId }: Partial<Draft>) => templateId !== undefined },
      'sendTime',
    ],
  },
  {
    title: '内容',
    keys: [
      { key: 'templateId', help: '选择模板后按模板的内容与用途发送' },
      {
        key: 'content',
        wide: true,
        help: (draft: Partial<Draft>) => <VariablesHelp audience={draft} />,
        isHidden: ({ templateId }: Partial<Draft>) => templateId !== undefined,
      },
    ],
  },
  { title: '接收人', keys: [...audienceFormFields] },
]

/** The project chosen above; everybody only where all are shown. */
const initialOf = (project: string | undefined): Partial<Draft> => ({
  channel: 'sms',
  purpose: 'service',
  ...(project ? { scopeType: 'projects', scopeJson: { projectCodes: [project] } } : { scopeType: 'all' }),
})

function validate(draft: Partial<Draft>): Record<string, string> {
  const [fault] = audienceFaults(draft)
  const { content, templateId } = draft
  const isOwnText = content && templateId === undefined
  const wrongVariable = isOwnText ? variableFault(content, audienceVariables(draft)) : undefined
  return {
    ...(fault ? { [fault.Field === 'ScopeType' ? 'scopeType' : 'scopeJson']: fault.Message } : {}),
    ...(wrongVariable ? { content: wrongVariable } : {}),
  }
}

/** What will be sent to whom, before it is. */
function Preview({ draft }: { readonly draft: Partial<Draft> }) {
  const { templateId } = draft
  const template = useCall(
    smsTemplates.get,
    { id: templateId ?? 0 },
    { quiet: true, enabled: templateId !== undefined },
  )
  const text = templateId === undefined ? draft.content : template.data?.content
  const { channel = 'sms', scopeType = 'all', scopeJson } = draft
  const purpose = (templateId === undefined ? draft.purpose : template.data?.purpose) ?? 'service'
  return (
    <>
      <Usable />
      <AudiencePreview
        audience={{ scopeType, ...(scopeJson ? { scopeJson } : {}) }}
        channels={[channel]}
        purpose={purpose}
        text={text}
        template={templateId === undefined ? undefined : template.data?.templateName}
      />
    </>
  )
}

/** 发送短信: a text to many, counted and looked at before it goes out. */
export default function SendSmsPage() {
  const sending = useSend(sendPropertySms, { quiet: true })
  const project = useChosenProject()
  return (
    <FormPage
      shape={sendPropertySms.input}
      draftKey={draftKeyOf(sendPropertySms, [''])}
      title="发送短信"
      groups={groups}
      initial={initialOf(project)}
      rules={validate}
      submitLabel="发送"
      aside={draft => <Preview draft={draft} />}
      confirmSave={confirmSending}
      save={values => sending.mutateAsync(values)}
      onDone={task => {
        toast.success(`已提交「${task.taskName}」，共 ${task.numberCount} 个号码`)
        navigateTo(recordPath(paths.detail, task.id))
      }}
    />
  )
}

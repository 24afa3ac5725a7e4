import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { reviewSmsTemplate, smsTemplates, type SmsTemplate } from '../contract/template.ts'
import { optOutFault } from '../domain/opt-out.ts'
import { variableFault } from '../domain/template.ts'
import { menu } from '../module.ts'

function validate({ content, purpose }: Partial<SmsTemplate>): Record<string, string> {
  const fault = content
    ? (variableFault(content) ?? (purpose === 'marketing' ? optOutFault(content) : undefined))
    : undefined
  return fault ? { content: fault } : {}
}

const { model } = crudPages(smsTemplates, {
  unit: '个短信模板',
  deletion: {
    consequences: ['已用于短信任务的模板不能删除'],
    reasons: ['录入有误', '不再使用'],
  },
  actions: [
    {
      label: '登记审核结果',
      needs: menu.template.permissions.review,
      call: reviewSmsTemplate,
      keys: ['state', 'providerCode', { key: 'reason', wide: true }],
      initial: one => ({ state: 'approved', providerCode: one?.providerCode }),
    },
  ],
  columns: [
    { key: 'templateName', identity: true, width: 180 },
    { key: 'purpose', width: 96 },
    { key: 'content', grow: 1 },
    { key: 'providerCode', width: 150, hidePriority: 1 },
    { key: 'reason', hidePriority: 2 },
    'state',
  ],
  form: {
    rules: validate,
    groups: [{ keys: ['templateName', 'purpose', { key: 'content', wide: true }, 'providerCode'] }],
  },
  detail: [
    { keys: ['templateName', 'purpose', 'state', 'providerCode', 'reason', { key: 'content', wide: true }] },
  ],
})

/** 短信模板: wordings that the provider approves before they may be used. */
export const Templates = () => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      pageSize: 15,
      barFilters: ['purpose', 'state'],
      settingsKey: 'messaging/templates',
    }}
  />
)

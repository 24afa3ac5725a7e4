import { refuseField } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { writes } from '#kit/server/handler.ts'
import { requireById, update } from '#kit/server/table.ts'
import { pickSmsTemplates, reviewSmsTemplate, smsTemplate, smsTemplates } from '../contract/template.ts'
import { optOutFault } from '../domain/opt-out.ts'
import { variableFault } from '../domain/template.ts'

export const templateServer = crudHandlers(smsTemplates, {
  unique: { sms_template_name_live: '已有同名模板，请更换名称' },
  pickers: [pickSmsTemplates],
  check: ({ content, purpose }) => {
    const fault = variableFault(content) ?? (purpose === 'marketing' ? optOutFault(content) : undefined)
    return fault ? [{ Field: 'Content', Message: fault }] : []
  },
  // Another wording is another template to the provider, which has not seen it yet.
  beforeUpdate: (draft, _, before) =>
    draft.content === before.content ? {} : { state: 'pending', reason: undefined },
})

export const templateHandlers = [
  writes(reviewSmsTemplate, async ({ id, state, providerCode, reason }, { tx, scope }) => {
    const before = await requireById(tx, smsTemplate, scope, id, { lock: true })
    if (state === 'refused' && !reason) return refuseField('Reason', '请填写未通过的原因')
    return update(tx, smsTemplate, scope, id, {
      state,
      providerCode: providerCode ?? before.providerCode,
      reason: state === 'refused' ? reason : undefined,
    })
  }),
]

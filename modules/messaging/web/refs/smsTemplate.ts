import { createRefSource } from '#kit/web/refs.ts'
import { pickSmsTemplates } from '../../contract/template.ts'

/** Templates by name; those that the provider has not approved cannot be chosen. */
export default createRefSource(pickSmsTemplates, {
  value: template => template.id,
  label: template => template.templateName,
  note: template => template.content,
  disabledReason: template => (template.state === 'approved' ? undefined : '未通过审核'),
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})

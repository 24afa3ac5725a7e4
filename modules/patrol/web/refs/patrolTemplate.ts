import { createRefSource } from '#kit/web/refs.ts'
import { pickTemplates } from '../../contract/template.ts'

export default createRefSource(pickTemplates, {
  value: template => template.id,
  label: template => template.templateName,
  disabledReason: template => (template.state === 'on' ? undefined : '已停用'),
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})

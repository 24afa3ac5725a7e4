import { createRefSource } from '#kit/web/refs.ts'
import { greenTemplates } from '../../contract/template.ts'

/** Templates by name; one that is out of use is shown and cannot be chosen. */
export default createRefSource(greenTemplates.list, {
  value: template => template.id,
  label: template => template.templateName,
  note: template => `${template.itemCount ?? 0} 项`,
  disabledReason: template => (template.state === 'on' ? undefined : '已停用'),
})

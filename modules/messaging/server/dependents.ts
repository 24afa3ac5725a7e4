import { registerDependentRows } from '#kit/server/dependents.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { smsTemplate, type SmsTemplate } from '../contract/template.ts'

registerDependentRows(smsTemplate.name, {
  label: '短信任务',
  table: 'property_sms',
  where: (template: SmsTemplate) => sql`template_id = ${template.id} and ${notDeleted()}`,
})

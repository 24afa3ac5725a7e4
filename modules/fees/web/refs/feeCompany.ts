import { refOf } from '#kit/web/refs.ts'
import { listCompanies } from '#modules/companies/contract/company.ts'

/** Companies by their number, as relations keep them. */
export default refOf(listCompanies, {
  value: c => c.companyNo,
  label: c => c.name,
  note: c => c.rooms?.join('、'),
  off: c => (c.state === 'gone' ? '已迁出' : undefined),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})

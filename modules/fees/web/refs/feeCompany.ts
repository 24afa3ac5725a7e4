import { createRefSource } from '#kit/web/refs.ts'
import { pickCompanies } from '#modules/companies/contract/company.ts'

/** Companies by their number, as relations keep them. */
export default createRefSource(pickCompanies, {
  value: c => c.companyNo,
  label: c => c.name,
  note: c => c.rooms?.join('、'),
  disabledReason: c => (c.state === 'movedOut' ? '已迁出' : undefined),
  ofFormProject: true,
})

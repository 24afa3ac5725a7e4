import { createRefSource } from '#kit/web/refs.ts'
import { companyWorkers } from '../../contract/company-worker.ts'

/** The current workers of the form's company. */
export default createRefSource(companyWorkers.list, {
  value: worker => worker.id,
  label: worker => worker.name,
  note: worker => worker.position,
  ofFormProject: true,
  inputFromContext: ({ companyId }) => ({ companyId: [String(companyId)], state: ['active' as const] }),
  dependsOn: ['companyId'],
})

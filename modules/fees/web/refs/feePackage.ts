import { refOf } from '#kit/web/refs.ts'
import { listPackages } from '../../contract/package.ts'

export default refOf(listPackages, {
  value: p => p.id,
  label: p => p.name,
  note: p => p.standardNames?.join('、'),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})

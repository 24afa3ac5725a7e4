import { refOf } from '#kit/web/refs.ts'
import { listBuildings } from '../../contract/building.ts'

/** Buildings of the form's estate, or of the one chosen above. */
export default refOf(listBuildings, {
  value: b => b.code, label: b => b.name, note: b => b.estateName,
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}), hangsOn: ['projectCode'],
})

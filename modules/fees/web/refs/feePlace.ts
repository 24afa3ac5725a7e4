import { refOf } from '#kit/web/refs.ts'
import { listPlaces } from '#modules/parking/contract/place.ts'

/** Places by their code, as relations keep them. */
export default refOf(listPlaces, {
  value: p => p.code,
  label: p => p.placeNo,
  note: p => p.parkName,
  off: p => (p.placeState === 'off' ? '已停用' : undefined),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})

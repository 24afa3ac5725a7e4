import { createRefSource } from '#kit/web/refs.ts'
import { listPlaces } from '#modules/parking/contract/park-place.ts'

/** Places by their code, as relations keep them. */
export default createRefSource(listPlaces, {
  value: p => p.code,
  label: p => p.placeNo,
  note: p => p.parkName,
  disabledReason: p => (p.placeState === 'off' ? '已停用' : undefined),
  ofFormProject: true,
})

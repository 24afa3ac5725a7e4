import { createRefSource } from '#kit/web/refs.ts'
import { listPlaces } from '../../contract/park-place.ts'

/** Places of the form's car park; a child of a pair cannot be anybody's parent. */
export default createRefSource(listPlaces, {
  value: p => p.id,
  label: p => p.placeNo,
  note: p => p.parkName,
  disabledReason: p => (p.parentPlaceId ? '自己就是子车位' : undefined),
  ofFormProject: true,
  inputFromContext: ({ parkId }) => (typeof parkId === 'number' ? { parkId: [String(parkId)] } : {}),
  dependsOn: ['parkId'],
})

import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { cars } from '../../contract/car.ts'
import { carKind } from '../../contract/car-labels.ts'

/** Cars of the form's project, or of the one chosen above, by their plates. */
export default createRefSource(cars.list, {
  value: c => c.id,
  label: c => c.plateNo,
  note: c =>
    [labelOf(carKind, c.carKind), c.ownerName, c.endDate && `至 ${c.endDate}`].filter(Boolean).join(' · '),
  disabledReason: c => (c.carState === 'cancelled' ? '已注销' : undefined),
  ofFormProject: true,
})

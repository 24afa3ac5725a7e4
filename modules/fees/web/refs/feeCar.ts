import { createRefSource } from '#kit/web/refs.ts'
import { cars } from '#modules/parking/contract/car.ts'

/** Cars by their id, as relations keep them: a plate may change. */
export default createRefSource(cars.list, {
  value: c => c.id,
  label: c => c.plateNo,
  note: c => c.ownerName,
  disabledReason: c => (c.carState === 'cancelled' ? '已注销' : undefined),
  ofFormProject: true,
})

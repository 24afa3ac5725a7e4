import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { pickPlants, plantType } from '../../contract/plant.ts'

/** Plants of the catalogue by name. */
export default createRefSource(pickPlants, {
  value: plant => plant.id,
  label: plant => plant.plantName,
  note: plant => `${labelOf(plantType, plant.plantType)} · ${plant.unit}`,
  inputForValues: ids => ({ ids: [...ids] }),
})

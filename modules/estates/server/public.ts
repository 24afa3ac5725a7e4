export { findChargedAreas, type ChargedArea } from './charged-areas.ts'
export { findEstateFacts, type EstateFacts } from './estate-facts.ts'
export { registerRoomCounter } from './unit-rows.ts'
export {
  onBuildingRenamed,
  findBuildings,
  type BuildingWithUnits,
  type BuildingUnit,
} from './building-units.ts'
export {
  declareSetting,
  getSettingValue,
  getSettingValuesByProject,
  getSettingValues,
  integerBetween,
  type EstateSetting,
} from './estate-settings.ts'
export { findClosedBooks, provideClosedBooks, type ClosedBooks } from './closed-books.ts'
export { oneUnitFaults, unitFaults } from './unit-faults.ts'
export { nextProjectCode } from '../domain/project-code.ts'
export {
  addBuildings,
  addUnits,
  canAddBuildings,
  canAddUnits,
  type AddedUnits,
  type NewBuilding,
} from './building-add.ts'

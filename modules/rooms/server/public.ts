export { roomPath } from '../module.ts'
export {
  registerPeopleImporter,
  type PeopleImport,
  type PeopleImporter,
  type ImportedPerson,
  type PersonFault,
} from './import-people.ts'
export {
  findRoomAreas,
  findRoomAreaSpans,
  logRoomChanges,
  onChargedFactsChanged,
  type RoomChangeEntry,
} from './room-areas.ts'
export {
  findChargedRooms,
  getRoomTotals,
  unitTotalKey,
  type ChargedRoom,
  type RoomTotals,
} from './charged-rooms.ts'

export {
  renameRoomCompany,
  updateRoomCompany,
  updateRoomOccupants,
  onRoomMoved,
  roomCodesByKeyword,
  roomIdsByKeyword,
  loadSheetRooms,
  onRoomPathsChanged,
  shortBuildingName,
  type RoomCompany,
  type OccupantChangeOptions,
  type RoomOccupants,
  type SheetRoom,
} from './room-occupants.ts'

export { reassignPayerChanges, reassignRoomPeople } from './merged-people.ts'
export { roomKeywordCondition } from './room-list.ts'
export { applyRoomState } from './room-change.ts'
export { assertEffectiveDates, loadBackDating } from './back-dating.ts'
export { effectiveDateFault, lateEffectiveDateFault, type BackDating } from '../domain/effective-date.ts'
export { registerRoomPanelSection, sectionOfRecords, type RoomPanelSection } from './room-panel.ts'
export {
  findBuildingCodesByName,
  openSheetPlaces,
  sheetPlaceFaults,
  sheetPlaceOptions,
  type SheetPlaceRow,
  type SheetPlaces,
} from './sheet-places.ts'
export { beforeDelivery } from '../domain/room-state.ts'
export { registerRoomDebts, type RoomDebt, type RoomDebtSource } from './room-debts.ts'
export { findDeliveryFaults, findMoveInFaults, registerDeliveryCheck } from './delivery-check.ts'

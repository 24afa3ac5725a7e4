export { chargedAreas, type ChargedArea } from './charged.ts'
export { roomsByUnit } from './building.ts'
export { buildingRenamed, standing, type Standing, type StandingUnit } from './standing.ts'
export { declareSetting, settingOf, settingsAt, settingsOf, wholeBetween, type Setting } from './settings.ts'

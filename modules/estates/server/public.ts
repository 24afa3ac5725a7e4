export { roomsByUnit } from './building.ts'
export { declareSetting, settingOf, wholeBetween, type Setting } from './settings.ts'
